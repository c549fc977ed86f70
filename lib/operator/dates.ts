import { isoTime, MINUTE_MS } from "../clock.ts";
import { type EntryKind } from "../entries/entries.ts";
import { entryKey, entryKeys } from "../entries/keys.ts";
import { writeListing } from "../listings/service.ts";
import type { StoredSkill } from "../skills/schema.ts";
import { writeSkill } from "../skills/service.ts";
import type { Deps } from "./deps.ts";
import { requireListing } from "./listings.ts";

type Dates = { slug: string; state: string; createdAt: number; updatedAt: number };

/** An entry with dates in the future. */
interface Ahead {
  kind: EntryKind;
  slug: string;
  createdAt: string;
}

/** Listings and skills that a fast clock dated in the future. Reads every record. */
export async function listAhead({ store, clock }: Deps): Promise<Ahead[]> {
  const found: Ahead[] = [];
  for (const kind of ["listing", "skill"] as const) {
    for await (const { value } of store.list<Dates>({ prefix: entryKeys[kind] })) {
      const { slug, createdAt } = value;
      if (isAhead(value, clock.now())) found.push({ kind, slug, createdAt: isoTime(createdAt) });
    }
  }
  return found;
}

/** Moves an entry's future dates to now. False if it has none. */
export function correctDates(deps: Deps, { kind, slug }: Ahead): Promise<boolean> {
  return deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const { value } = await tx.get<Dates>(entryKey(kind, slug));
    if (value === null || !isAhead(value, now)) return false;
    const dates = {
      createdAt: Math.min(value.createdAt, now),
      updatedAt: Math.min(value.updatedAt, now),
    };
    const event = value.state === "live" ? "updated" : "submitted";
    if (kind === "skill") writeSkill(tx, { ...value as StoredSkill, ...dates }, event);
    else {
      const { listing, description } = await requireListing(tx, slug);
      writeListing(tx, { listing: { ...listing, ...dates }, description }, event);
    }
    return true;
  });
}

function isAhead({ createdAt, updatedAt }: Dates, now: number): boolean {
  return Math.max(createdAt, updatedAt) > now + MINUTE_MS;
}
