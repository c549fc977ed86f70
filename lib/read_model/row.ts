/** The fields of every catalogue entry. */
export interface Row {
  /** A small integer, reused after the entry is removed. */
  id: number;
  slug: string;
  /** ms since the epoch. */
  createdAt: number;
  votes: number;
  /** Visits to a listing, or copies of a skill. */
  uses: number;
}

/** An entry's counts. */
export type Counts = Pick<Row, "votes" | "uses">;

/** A count, at least 0: we may hear of a vote's removal before the vote. */
export function atLeastNone(count: number): number {
  return Math.max(0, count);
}
