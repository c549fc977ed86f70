/** What one query may still do, whatever its words are. */
export interface Budget {
  /** How many words it compares with its mistyped ones. */
  comparisons: number;
  /** How many entries of its words it looks at. Beyond, only its rarer words decide. */
  visits: number;
}

/** The budget of a query: it takes a twentieth of a second at most. */
export function newBudget(): Budget {
  return { comparisons: 50_000, visits: 150_000 };
}
