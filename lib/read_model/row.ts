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
