import { isoTime, MINUTE_MS } from "../clock.ts";
import { storeKeys } from "../kv/keys.ts";
import { REREAD_MS } from "../kv/late_news.ts";
import { LOG_ID_LENGTH, logIdAt } from "../kv/log_id.ts";
import type { Change } from "../kv/store.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import type { Changes, ChangesQuery, PublicChange } from "./schema.ts";

/**
 * The maximum number of hidden changes that one response skips. Thousands may be waiting for
 * approval.
 */
const MAX_PASSED = 1_000;
/** The smallest batch of changes to read. */
const MIN_BATCH = 50;

/**
 * The log of public changes after `since`, oldest first; without `since`, the latest ones. A hidden
 * or withdrawn entry appears as a tombstone with only its slug. Anything that was never public is
 * left out.
 */
export async function listChanges(deps: Deps, { since, limit }: ChangesQuery): Promise<Changes> {
  const { changes, position, more } = since === undefined
    ? await readLatest(deps, limit)
    : await readAfter(deps, since, limit);
  // An id contains the time when a write began, and a write may take a while. So a reader that is
  // up to date gets the last few seconds again and misses nothing. The same id means the same
  // change.
  const repeated = idAt(deps.clock.now() - REREAD_MS);
  const nextSince = !more && position !== null && position > repeated ? repeated : position;
  return { changes, limit, more, nextSince };
}

/** A part of the log, oldest first. `position` is where to continue; null for an empty log. */
type LogPart = Pick<Changes, "changes" | "more"> & { position: string | null };

/**
 * The position after the last change to show. Changes dated later come from a clock that ran ahead.
 * They would stay the latest until that time really comes.
 */
function endOf({ clock }: Deps): string {
  return logIdAt(clock.now() + MINUTE_MS);
}

/** The last visible changes. */
async function readLatest(deps: Deps, limit: number): Promise<LogPart> {
  const changes: PublicChange[] = [];
  let position: string | null = null;
  let passed = 0;
  const options = { reverse: true, batchSize: batchFor(limit) };
  const range = { prefix: storeKeys.changes, end: storeKeys.change(endOf(deps)) };
  for await (const { value } of deps.store.list<Change>(range, options)) {
    const shown = toPublicChange(deps, value);
    if (shown === null && ++passed > MAX_PASSED) break;
    if (changes.length === 0) position = value.id;
    if (shown !== null) changes.push(shown);
    if (changes.length === limit) break;
  }
  return { changes: changes.reverse(), position, more: false };
}

/** The first visible changes after a time (ms) or after the change with an id. */
async function readAfter(deps: Deps, since: number | string, limit: number): Promise<LogPart> {
  const changes: PublicChange[] = [];
  // Also moves past changes that never show, so they aren't read every time.
  let position = typeof since === "number" ? idAt(since) : since;
  let lastRead = position;
  let passed = 0;
  let isDoubtful = false;
  const start = storeKeys.change(typeof since === "number" ? logIdAt(since) : `${since}0`);
  const range = { prefix: storeKeys.changes, start };
  const options = { batchSize: batchFor(limit) };
  const end = endOf(deps);
  for await (const { value } of deps.store.list<Change>(range, options)) {
    if (value.id >= end) break;
    const shown = toPublicChange(deps, value);
    if (shown === null && ++passed > MAX_PASSED) return { changes, position: lastRead, more: true };
    // A full page may be the last one, so look for another visible change before saying that there
    // is more.
    if (shown !== null && changes.length === limit) return { changes, position, more: true };
    lastRead = value.id;
    // This process may not know yet what another has just written.
    isDoubtful = shown === null && (isDoubtful || !neverShows(value));
    if (!isDoubtful) position = value.id;
    if (shown !== null) changes.push(shown);
  }
  return { changes, position, more: false };
}

/** One more than requested, to see if there is more. */
function batchFor(limit: number): number {
  return Math.max(limit + 1, MIN_BATCH);
}

/** The position before the first change at a time. */
function idAt(ms: number): string {
  return logIdAt(ms).padEnd(LOG_ID_LENGTH, "0");
}

/** True if a change never shows, whatever happens to its record. */
function neverShows({ kind, event }: Change): boolean {
  return kind === "site" || event === "submitted" || event === "refused";
}

function toPublicChange(deps: Deps, change: Change): PublicChange | null {
  const { id, kind, slug, event, at, note } = change;
  if (kind === "site" || neverShows(change)) return null;
  const isListing = kind === "listing";
  const isLive = (isListing ? deps.catalogue : deps.skills).has(slug);
  if (!isLive && event !== "hidden" && event !== "withdrawn") return null;
  const path = isListing ? paths.apiListing(slug) : paths.apiSkill(slug);
  const url = isLive ? deps.urls.to(path) : null;
  return { id, kind, slug, event, at: isoTime(at), ...(note && { note }), url };
}
