import { DAY_MS, HOUR_MS, MINUTE_MS } from "./clock.ts";

/**
 * How long (ms) expiring entries live, by the first part of their key, or by the first and third if
 * other entries with that first part are permanent. KV does not say when an entry expires, so
 * copying entries one by one restarts their lifetimes. A test compares this table with every
 * keys.ts.
 */
export const LIFETIMES = {
  /** As long as a network can be blocked, and an hour of grace. */
  blocked_networks: 90 * DAY_MS + HOUR_MS,
  /** As long as a request can be repeated (`REPEATABLE_MS`). */
  checkouts_by_idempotency_key: DAY_MS,
  day_caps: 25 * HOUR_MS,
  /** As long as a listing can be a gem. */
  dropped_gems: 14 * DAY_MS,
  gem_scouts: 30 * DAY_MS,
  guestbook_networks: 2 * DAY_MS,
  listing_visits: DAY_MS,
  "listing_votes ~": 25 * HOUR_MS,
  /**
   * Must outlast the retries and checks of a commit (`PATIENCE_MS`, `SETTLE_MS`), and two looks of a
   * backup (`UNSEEN_MAX_MS`). A void marker lives longer (`VOID_TTL_MS`).
   */
  markers: 3 * MINUTE_MS,
  notice_counts: 2 * DAY_MS,
  notices: 3 * DAY_MS,
  operations_done: 30 * DAY_MS,
  /** How long an operator's action can be undone. */
  operator_undos: 7 * DAY_MS,
  poll_networks: 2 * DAY_MS,
  /** A day, for the vote velocity, and an hour of grace. Clicks expire sooner (`CLICKS_TTL_MS`). */
  pulses: 25 * HOUR_MS,
  rate_limits: HOUR_MS,
  /** The maximum. Each expires with its signature. */
  seen_signatures: DAY_MS + 3 * MINUTE_MS,
  skill_copiers: DAY_MS,
  skill_installs: 90 * DAY_MS,
  "skill_votes ~": 25 * HOUR_MS,
  stripe_alerts: 90 * DAY_MS,
  stripe_doubts: 90 * DAY_MS,
  stripe_events: 40 * DAY_MS,
  /** As long as a request can be repeated. */
  submission_receipts: DAY_MS,
} as const;

const byKey = new Map<string, number>(Object.entries(LIFETIMES));

/** The lifetime (ms) of an entry; undefined for permanent ones. */
export function lifetimeOf(key: Deno.KvKey): number | undefined {
  const [first, , third] = key.map(String);
  return byKey.get(first!) ?? byKey.get(`${first} ${third}`);
}
