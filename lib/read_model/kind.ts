import type { Counts } from "./row.ts";
import type { Packed } from "./snapshots.ts";

/** What KV has of an entry beside its counts. */
export interface Parts<Stored> {
  stored: Stored;
  /** The values under `Kind.extras`, in their order; undefined where it is not known. */
  extras: readonly unknown[];
}

/** How the entries of one kind are read. Each key is a prefix with the slug behind it. */
export interface Kind<Stored extends { slug: string; state: string }> extends Packed {
  /** Its name in the log of changes. */
  name: "listing" | "skill";
  records: Deno.KvKey;
  /** Other keys that an entry is made of. */
  extras: readonly Deno.KvKey[];
  /** Votes, up and down behind the slug. */
  votes: Deno.KvKey;
  uses: Deno.KvKey;
  /** Which pulses move which count, and which have all of an entry read again. */
  pulses: Readonly<Record<string, keyof Counts | "all">>;
  /** What the listeners of a commit are told of an entry. */
  partsOf: (payload: unknown) => Parts<Stored>;
  /** How many live ones the catalogue has. */
  size: () => number;
  /** Whether it is in the catalogue. */
  has: (slug: string) => boolean;
  /** Takes in an entry in whatever state; without counts, those that are known stay. */
  put: (parts: Parts<Stored>, counts?: Counts) => void;
  /** Empties the catalogue for a load; until `endLoad` nobody reads from it. */
  beginLoad: () => void;
  endLoad: () => void;
  /** Takes in some of many; `sort` must follow. */
  append: (entries: readonly (Parts<Stored> & Counts)[]) => void;
  /** Sorts what was appended, with pauses for other work. */
  sort: () => Promise<void>;
  /** Takes out an entry that no longer exists. */
  remove: (slug: string) => void;
  count: (slug: string, change: (now: Counts) => Partial<Counts>) => void;
}

/** A kind of any entries. */
// deno-lint-ignore no-explicit-any -- each kind has its own records
export type AnyKind = Kind<any>;
