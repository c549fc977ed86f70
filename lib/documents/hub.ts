import { categories } from "../catalog/categories.ts";
import { tools } from "../catalog/tools.ts";
import { MINUTE_MS } from "../clock.ts";
import type { Deps as DiscoveryDeps } from "../discovery/deps.ts";
import type { Fetcher, Fetching } from "../fetching/fetcher.ts";
import type { Posted } from "../fetching/schema.ts";
import type { LogTail } from "../kv/tail.ts";
import { sha256 } from "../text/digest.ts";
import { feedOf, feedPaths, type FeedScope, hubOf } from "./feeds.ts";
import { documentKeys } from "./keys.ts";

/** How long (ms) a feed waits after a ping, even a failed one, before the next. */
const WAIT_MS = 10 * MINUTE_MS;
/**
 * How many feeds one run pings. The hub gets one request a second, and each format of a feed takes
 * one.
 */
const FEEDS_A_RUN = 15;

const SCOPES: readonly FeedScope[] = [
  { kind: "projects" },
  { kind: "skills" },
  { kind: "gems" },
  ...categories.map(({ slug }) => ({ kind: "category" as const, slug })),
  ...tools.map(({ slug }) => ({ kind: "tool" as const, slug })),
];

/** By feed path: the digest of its content when the hub was told, and its last ping (ms). */
type HubPings = Record<string, { state: string; at: number }>;

/** What the pings need. */
export interface Deps extends DiscoveryDeps, Fetching {
  tail: Pick<LogTail, "poll">;
}

/**
 * Tells the WebSub hub which feeds have changed, each at most once every ten minutes. A ping is
 * recorded before it is sent, so no other process sends it too; if the hub doesn't accept it, it is
 * sent again after that time. A feed seen for the first time has no subscribers yet. False if there
 * was nothing to do.
 */
export async function pingHub(deps: Deps, now: number): Promise<boolean> {
  const { env, fetcher, store, sync, tail } = deps;
  const hub = hubOf(env, SCOPES[0]!);
  if (hub === undefined || fetcher === null) return false;
  await sync.loaded();
  await tail.poll();
  await sync.caughtUp();
  const feeds = SCOPES.map((scope) => ({
    formats: feedPaths(scope),
    state: sha256(JSON.stringify(feedOf(deps, scope))),
  }));
  const due = await store.transact(async (tx) => {
    const known = (await tx.get<HubPings>(documentKeys.pings)).value;
    const pings = { ...known };
    const due: typeof feeds = [];
    for (const feed of feeds) {
      const { formats: { xml }, state } = feed;
      const ping = pings[xml] ??= { state, at: 0 };
      if (ping.state === state || Math.abs(now - ping.at) < WAIT_MS) continue;
      if (due.length === FEEDS_A_RUN) break;
      due.push(feed);
      pings[xml] = { ...ping, at: now };
    }
    if (due.length > 0 || known === null) tx.set(documentKeys.pings, pings);
    return due;
  });
  for (const { formats, state } of due) {
    let isTold = true;
    for (const path of Object.values(formats)) isTold &&= await ping(deps, fetcher, hub, path);
    if (!isTold) continue;
    await store.transact(async (tx) => {
      const { value } = await tx.get<HubPings>(documentKeys.pings);
      tx.set(documentKeys.pings, { ...value, [formats.xml]: { state, at: now } });
    });
  }
  return due.length > 0;
}

/** True if the hub accepted a ping. */
async function ping(deps: Deps, fetcher: Fetcher, hub: string, path: string): Promise<boolean> {
  const posted: Posted = await fetcher.post({
    url: hub,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: String(new URLSearchParams({ "hub.mode": "publish", "hub.url": deps.urls.to(path) })),
    // The log and health say that it is down.
  }).catch(() => ({ ok: false, problem: "unreachable" }));
  if (posted.ok && posted.status < 300) return true;
  deps.log.warn("hub_refused", { path, answer: posted.ok ? posted.status : posted.problem });
  return false;
}
