/** What every entry of a catalogue has. */
export interface Row {
  /** A small integer, which goes to another entry when this one is removed. */
  id: number;
  slug: string;
  /** ms since the epoch. */
  createdAt: number;
  votes: number;
  /** Visits of a listing, copies of a skill. */
  uses: number;
}

/** The counts of an entry. */
export type Counts = Pick<Row, "votes" | "uses">;

/** A count, or 0 if it is below: a vote may be taken back before its giving was heard of. */
export function atLeastNone(count: number): number {
  return Math.max(0, count);
}
