import type { Pulse } from "../kv/store.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Counts, Row } from "./row.ts";
import type { Packed } from "./snapshots.ts";

/** An entry's KV data, without its counts. */
interface Parts<Stored> {
  stored: Stored;
  /** The values under `Kind.extras`, in their order; undefined if unknown. */
  extras: readonly unknown[];
}

/** How to read entries of one kind. Each key is a prefix that the slug is appended to. */
export interface Kind<Stored extends { slug: string; state: string }> extends Packed {
  /** Its name in the change log. */
  name: "listing" | "skill";
  /** Where its live entries are. */
  catalogue: Pick<
    Catalogue<Row, string, unknown>,
    "at" | "beginLoad" | "count" | "endLoad" | "remove" | "size"
  >;
  records: Deno.KvKey;
  /** Other keys that make up an entry. */
  extras: readonly Deno.KvKey[];
  /** Votes: up and down counters under the slug. */
  votes: Deno.KvKey;
  uses: Deno.KvKey;
  /** Which pulses change which count, and which trigger a full reread of an entry. */
  pulses: Readonly<Partial<Record<Pulse["kind"], keyof Counts | "all">>>;
  /** What a commit tells listeners about an entry. */
  partsOf: (payload: unknown) => Parts<Stored>;
  /**
   * Applies an entry in any state. Without counts, it keeps those it had. Returns false if some of
   * its parts are unknown, so it must be read again.
   */
  put: (parts: Parts<Stored>, counts?: Counts) => boolean | void;
}

/** A kind with any type of entry. */
// deno-lint-ignore no-explicit-any -- each kind has its own records
export type AnyKind = Kind<any>;
