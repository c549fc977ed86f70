import { isoTime, MINUTE_MS } from "../clock.ts";
import { type EntryKind, eventOf } from "../entries/entries.ts";
import { entryKey, entryKeys } from "../entries/keys.ts";
import { type StoredRecord, writeEntry } from "../owners/verification.ts";
import type { Deps } from "./deps.ts";

/**
 * Moves the future dates of listings and skills, which a fast clock left, to now. Returns what it
 * found. Reads every record.
 */
export async function correctDates({ store, clock }: Deps) {
  const ahead: { kind: EntryKind; slug: string; createdAt: string }[] = [];
  for (const kind of ["listing", "skill"] as const) {
    for await (const { value } of store.list<StoredRecord>({ prefix: entryKeys[kind] })) {
      const { slug, createdAt } = value;
      if (isAhead(value, clock.now())) ahead.push({ kind, slug, createdAt: isoTime(createdAt) });
    }
  }
  for (const { kind, slug } of ahead) {
    await store.transact(async (tx) => {
      const now = clock.now();
      const { value } = await tx.get<StoredRecord>(entryKey(kind, slug));
      if (value === null || !isAhead(value, now)) return;
      const createdAt = Math.min(value.createdAt, now);
      const updatedAt = Math.min(value.updatedAt, now);
      await writeEntry(tx, kind, { ...value, createdAt, updatedAt }, eventOf(value, "updated"));
    });
  }
  return ahead;
}

function isAhead({ createdAt, updatedAt }: StoredRecord, now: number): boolean {
  return Math.max(createdAt, updatedAt) > now + MINUTE_MS;
}
