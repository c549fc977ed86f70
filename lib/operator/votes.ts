import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../clock.ts";
import type { EntryKind, EntryRef } from "../entries/entries.ts";
import { entryKey, entryKeys } from "../entries/keys.ts";
import { notFound } from "../errors.ts";
import { isHeld, voteRanges } from "../votes/keys.ts";
import type { DayVoters } from "../votes/service.ts";
import type { Deps } from "./deps.ts";

/** This many votes in the first minute look like a ring of voters. */
const RING_VOTES = 3;
/** So do this many from one IPv4 /24 or IPv6 /48 within two days. */
const RING_NETWORK_VOTES = 10;
/** How many hours and networks are listed. */
const TOP = 20;

/** When an entry, live or not, was published (ms). Throws `not_found`. */
export async function requirePublished(deps: Deps, { kind, slug }: EntryRef): Promise<number> {
  const { value } = await deps.store.get<{ createdAt: number }>(entryKey(kind, slug));
  if (value === null) throw notFound(`There is no ${kind} with the slug ${slug}`);
  return value.createdAt;
}

/**
 * How an entry's votes came in: figures that reveal a ring of voters without naming anyone. Throws
 * `not_found`.
 */
export async function readVoteFigures(deps: Deps, item: EntryRef) {
  const { kind, slug } = item;
  const publishedAt = await requirePublished(deps, item);
  const hours = new Map<number, { from: string; votes: number; held: number }>();
  let votes = 0;
  let held = 0;
  let withinFirstMinute = 0;
  const counted = new Set<string>();
  for await (const { key, value } of deps.store.list<number>(voteRanges.votes(kind, slug))) {
    const age = Math.abs(value) - publishedAt;
    const hour = Math.floor(age / HOUR_MS);
    const from = isoTime(publishedAt + hour * HOUR_MS);
    const ofHour = hours.get(hour) ?? { from, votes: 0, held: 0 };
    hours.set(hour, ofHour);
    if (isHeld(value)) {
      held++;
      ofHour.held++;
    } else {
      votes++;
      ofHour.votes++;
      counted.add(key.at(-1) as string);
      // If it was approved a second time, it has votes from before that.
      if (Math.abs(age) < MINUTE_MS) withinFirstMinute++;
    }
  }
  const networks = (await listVoters(deps, item))
    .map((voters) => voters.filter(([, voter]) => counted.has(voter)).length)
    .filter((voters) => voters > 0)
    .sort((a, b) => b - a);
  return {
    publishedAt: isoTime(publishedAt),
    // Votes that count, and votes on hold.
    votes,
    held,
    // Counted votes that were cast within a minute of publication.
    withinFirstMinute,
    // The hours since publication with the most votes, busiest first.
    busiestHours: [...hours.values()]
      .sort((a, b) => b.votes + b.held - a.votes - a.held || (a.from < b.from ? -1 : 1))
      .slice(0, TOP),
    // Counted voters from each network today and yesterday, highest first. An IPv4 /24 or IPv6 /48
    // is one network.
    votersByNetwork: networks.slice(0, TOP),
    suspicious: withinFirstMinute >= RING_VOTES || (networks[0] ?? 0) >= RING_NETWORK_VOTES,
  };
}

/** The voters of an entry today and yesterday, by IPv4 /24 or IPv6 /48. */
async function listVoters({ store }: Deps, { kind, slug }: EntryRef): Promise<DayVoters[]> {
  const days = await Array.fromAsync(store.list<DayVoters>(voteRanges.voters(kind, slug)));
  const placed = days.flatMap(({ key, value }) =>
    value.map((voter) => ({ voter, network: voter[2] ?? key.at(-1) }))
  );
  return [...Map.groupBy(placed, ({ network }) => network).values()]
    .map((group) => group.map(({ voter }) => voter));
}

/** The entries with votes on hold, by slug. Reads every vote. */
export async function listHeld(
  { store }: Deps,
  kind: EntryKind,
): Promise<{ slug: string; held: number }[]> {
  const held = new Map<string, number>();
  for await (const { key, value } of store.list<number | DayVoters>(voteRanges.all(kind))) {
    if (typeof value !== "number" || !isHeld(value)) continue;
    const slug = key[1] as string;
    held.set(slug, (held.get(slug) ?? 0) + 1);
  }
  return [...held].map(([slug, held]) => ({ slug, held }));
}

/** How far back (ms) entries are checked for rings of voters. */
const RINGS_SINCE_MS = 7 * DAY_MS;

/**
 * Live entries whose votes look like a ring's, the largest ring first: entries from the last seven
 * days, and those with many voters from one network since yesterday.
 */
export async function listRings(deps: Deps, kind: EntryKind) {
  const since = deps.clock.now() - RINGS_SINCE_MS;
  const rings: ({ slug: string } & Awaited<ReturnType<typeof readVoteFigures>>)[] = [];
  const records = deps.store.list<{ slug: string; state: string; createdAt: number }>({
    prefix: entryKeys[kind],
  });
  for await (const { value: { slug, state, createdAt } } of records) {
    if (state !== "live") continue;
    const isNew = createdAt >= since;
    if (!isNew && !(await listVoters(deps, { kind, slug })).some(isCrowd)) continue;
    const figures = await readVoteFigures(deps, { kind, slug });
    if (figures.suspicious) rings.push({ slug, ...figures });
  }
  const size = (ring: typeof rings[number]) =>
    Math.max(ring.withinFirstMinute, ring.votersByNetwork[0] ?? 0);
  return rings.sort((a, b) => size(b) - size(a) || (a.publishedAt > b.publishedAt ? -1 : 1));
}

function isCrowd(voters: DayVoters): boolean {
  return voters.length >= RING_NETWORK_VOTES;
}
