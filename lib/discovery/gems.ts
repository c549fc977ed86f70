import { getDomain } from "tldts";
import { HOUR_MS, utcDay } from "../clock.ts";
import { notFound, rejectProblems } from "../errors.ts";
import { listingKeys } from "../listings/keys.ts";
import { GEM_MAX_AGE_MS } from "../listings/placements.ts";
import { type ListingRow, parsed } from "../listings/row.ts";
import type { PublicListing, StoredGem, StoredListing } from "../listings/schema.ts";
import type { Deps } from "./deps.ts";

/** The most gems the scout picks per day. */
export const GEMS_A_DAY = 3;
/** The age at which the scout first considers a listing. Until then it gets visitors on its own. */
const MIN_AGE_MS = 12 * HOUR_MS;
/** A listing with this many votes doesn't need the scout. */
const MANY_VOTES = 10;
/** How many optional fields must be filled in for an entry to be worth featuring. */
const MIN_PARTS = 3;
const LONG_DESCRIPTION = 120;

/**
 * The daily scout. It picks up to three young, unpaid listings with the most complete entries and
 * few votes, at most one per domain, and explains each pick in a factual note. It runs once per UTC
 * day, however often and in however many processes it is called.
 */
export async function scoutGems(deps: Deps, now: number): Promise<void> {
  const scoutKey = listingKeys.gemScout(utcDay(now));
  if ((await deps.store.get(scoutKey)).value !== null) return;
  const dropped = new Set<string>();
  for await (const { key } of deps.store.list({ prefix: listingKeys.droppedGems })) {
    dropped.add(key[1] as string);
  }
  await deps.sync.loaded();
  const domains = new Set<string>();
  const picked: { slug: string; note: string }[] = [];
  for (const { slug, url, note } of findCandidates(deps, now)) {
    const domain = getDomain(url, { allowPrivateDomains: true }) ?? "";
    if (dropped.has(slug) || domains.has(domain)) continue;
    domains.add(domain);
    if (picked.push({ slug, note }) === GEMS_A_DAY) break;
  }
  await deps.store.transact(async (tx) => {
    if ((await tx.get(scoutKey)).value !== null) return;
    for (const { slug, note } of picked) {
      const [listing, gem, drop] = await tx.store.getMany<unknown>([
        listingKeys.one(slug),
        listingKeys.gem(slug),
        listingKeys.droppedGem(slug),
      ]);
      tx.check(listing!);
      tx.check(gem!);
      const isLive = (listing!.value as StoredListing | null)?.state === "live";
      // The operator may have decided otherwise since this process last read the log.
      if (!isLive || gem!.value !== null || drop!.value !== null) continue;
      tx.set(listingKeys.gem(slug), { note, since: now } satisfies StoredGem);
      tx.change({ kind: "listing", slug, event: "gem" });
    }
    tx.setExpiring(scoutKey, true);
  });
}

/** Up to `limit` hidden gems, the latest picks first. */
export function latestGems({ catalogue }: Pick<Deps, "catalogue">, limit: number): PublicListing[] {
  const { items } = catalogue.list({ sort: "new", gems: "1", limit: catalogue.size });
  const pickedAt = ({ gem }: PublicListing) => Date.parse(gem!.since);
  return items.sort((a, b) => pickedAt(b) - pickedAt(a)).slice(0, limit);
}

/**
 * Makes a live listing a gem with the operator's note, even if it was dropped before. Throws
 * `not_found`, and `invalid_input` if the gem wouldn't show: the listing is older than 14 days, or
 * was promoted or sponsored.
 */
export function setGem(deps: Deps, options: { slug: string; note: string }): Promise<StoredGem> {
  const { slug, note } = options;
  return deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const { value } = await tx.get<StoredListing>(listingKeys.one(slug));
    if (value?.state !== "live") throw notFound(`There is no live listing with the slug ${slug}`);
    const why = now - value.createdAt >= GEM_MAX_AGE_MS
      ? `${slug} must be less than 14 days old to be a gem`
      : deps.catalogue.isPaidFor(slug)
      ? `${slug} must never have been promoted or sponsored to be a gem`
      : null;
    if (why !== null) rejectProblems([{ field: "slug", message: why }]);
    const gem: StoredGem = { note, since: now };
    tx.set(listingKeys.gem(slug), gem);
    tx.delete(listingKeys.droppedGem(slug));
    tx.change({ kind: "listing", slug, event: "gem" });
    return gem;
  });
}

/** Drops a gem, which the scout won't pick again. Throws `not_found` if there is none. */
export function dropGem(deps: Deps, slug: string): Promise<void> {
  return deps.store.transact(async (tx) => {
    const { value } = await tx.get<StoredGem>(listingKeys.gem(slug));
    if (value === null) throw notFound(`${slug} is not a gem`);
    tx.delete(listingKeys.gem(slug));
    // Until the listing is too old for the scout.
    tx.setExpiring(listingKeys.droppedGem(slug), deps.clock.now());
    tx.change({ kind: "listing", slug, event: "gem_ended" });
  });
}

/**
 * Listings the scout may pick, best first. Ties are broken by an unpredictable draw: if the newest
 * were first, the last submissions of each day would get all picks.
 */
function findCandidates(
  deps: Deps,
  now: number,
): { slug: string; url: string; note: string }[] {
  const day = utcDay(now);
  return deps.catalogue.rows().filter((row) => isCandidate(deps, row, now))
    .map((row) => {
      const listing = parsed(row);
      const { slug, url } = listing;
      const draw = deps.identity.ofDay(day, slug);
      return { slug, url, votes: row.votes, parts: partsOf(listing), draw };
    })
    .filter(({ parts }) => parts.length >= MIN_PARTS)
    .sort((a, b) =>
      b.parts.length - a.parts.length || a.votes - b.votes || (a.draw < b.draw ? -1 : 1)
    )
    .map(({ slug, url, parts }) => ({ slug, url, note: noteOf(parts) }));
}

function isCandidate(deps: Deps, row: ListingRow, now: number): boolean {
  const age = now - row.createdAt;
  return age >= MIN_AGE_MS && age < GEM_MAX_AGE_MS && row.votes < MANY_VOTES &&
    !row.placement?.gem && !deps.catalogue.isPaidFor(row.slug);
}

/** What an entry has beyond name, URL and tagline, in words. */
function partsOf(listing: ReturnType<typeof parsed>): string[] {
  const parts: [given: boolean, words: string][] = [
    [(listing.description?.length ?? 0) >= LONG_DESCRIPTION, "description"],
    [listing.category !== null, "category"],
    [listing.tags.length > 0, "tags"],
    [listing.builtWith.length > 0, "tools"],
    [listing.pricing !== null, "pricing"],
    [listing.repoUrl !== null, "source code"],
    [listing.logoUrl !== null, "logo"],
  ];
  return parts.filter(([given]) => given).map(([, words]) => words);
}

/** Why a listing was picked. Its maker may change it later. */
function noteOf(parts: string[]): string {
  return `Picked for its detailed page: ${new Intl.ListFormat("en-GB").format(parts)}`;
}
