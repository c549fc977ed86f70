import { isoTime } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { storeKeys } from "../kv/keys.ts";
import { LOG_ID_LENGTH, logIdAt } from "../kv/log_id.ts";
import { LATE_MS } from "../kv/late_notices.ts";
import type { Change } from "../kv/store.ts";
import { paths } from "../urls.ts";
import type { Changes, ChangesQuery, PublicChange } from "./schema.ts";

/** Changes that do not show which one answer passes over at most: thousands may wait for approval. */
const MAX_PASSED = 1_000;
/** Changes that are read in one go at least. */
const MIN_BATCH = 50;

/**
 * The log of public changes after `since`, the oldest first; without it, the latest ones. What was hidden
 * shows as a tombstone: its slug and nothing else. What never was public does not show.
 */
export async function listChanges(deps: Deps, query: ChangesQuery): Promise<Changes> {
  const { since, limit } = query;
  const changes: PublicChange[] = [];
  const prefix = storeKeys.changes;
  const start = storeKeys.change(typeof since === "number" ? logIdAt(since) : `${since}0`);
  const range = since === undefined ? { prefix } : { prefix, start };
  const options = { reverse: since === undefined, batchSize: Math.max(limit + 1, MIN_BATCH) };
  // Where a reader goes on: behind what never shows too, or it would be read again each time.
  let position = typeof since === "number" ? idAt(since) : since ?? null;
  let lastRead = position;
  let passed = 0;
  let isDoubtful = false;
  let isEnd = true;
  for await (const { value } of deps.store.list<Change>(range, options)) {
    const shown = toPublicChange(deps, value);
    if (shown === null && ++passed > MAX_PASSED) {
      if (since === undefined) break;
      position = lastRead;
      isEnd = false;
      break;
    }
    // A full page may be the last one: more has to be there before its reader goes on from it.
    if (shown !== null && changes.length === limit) {
      isEnd = false;
      break;
    }
    lastRead = value.id;
    // What another process has just made may not be known here yet.
    isDoubtful = shown === null && (isDoubtful || !neverShows(value));
    const isNext = since === undefined ? shown !== null && position === null : !isDoubtful;
    if (isNext) position = value.id;
    if (shown !== null) changes.push(shown);
    if (since === undefined && changes.length === limit) break;
  }
  if (since === undefined) changes.reverse();
  position ??= lastRead;
  // Ids carry the time at which a write began, and a write may take a while: whoever has read up to now is sent
  // the last seconds once more, so that nothing is missed. The same id is the same change.
  const repeated = idAt(deps.clock.now() - LATE_MS);
  const nextSince = isEnd && position !== null && position > repeated ? repeated : position;
  return { changes, limit, more: !isEnd, nextSince };
}

/** The position before the first change of a time. */
function idAt(ms: number): string {
  return logIdAt(ms).padEnd(LOG_ID_LENGTH, "0");
}

/** Whether a change shows nothing whatever becomes of its record. */
function neverShows({ kind, event }: Change): boolean {
  return kind === "site" || event === "submitted" || event === "refused";
}

function toPublicChange(deps: Deps, change: Change): PublicChange | null {
  const { id, kind, slug, event, at } = change;
  if (kind === "site" || neverShows(change)) return null;
  const isListing = kind === "listing";
  const isLive = isListing ? deps.catalogue.has(slug) : deps.skills.get(slug) !== undefined;
  if (!isLive && event !== "hidden") return null;
  const path = isListing ? paths.apiListing(slug) : paths.apiSkill(slug);
  const url = isLive ? deps.urls.to(path) : null;
  return { id, kind, slug, event, at: isoTime(at), url };
}
