/** The work that one query may still do, whatever its words. */
export interface Budget {
  /** How many known words it may compare with its own mistyped or one-character words. */
  comparisons: number;
  /** How many entries with its words it may read. Beyond that, only its rarer words count. */
  visits: number;
}

/** A query's budget: up to a twentieth of a second. */
export function newBudget(): Budget {
  return { comparisons: 50_000, visits: 150_000 };
}

/** A budget for searches nobody typed, such as for similar entries: the rarer words are enough. */
export function smallBudget(): Budget {
  return { comparisons: 0, visits: 10_000 };
}
