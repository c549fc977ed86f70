/** Search results: entry ids, best first. */
export interface Found {
  ids: Uint32Array;
  /** The score of each, in the same order. */
  scores: Float32Array;
  /** True if nothing matched well, so these are only the nearest. */
  isNearest: boolean;
}

/** The found entries with some put first. */
export function putFirst(first: readonly number[], found: Found): Found {
  if (first.length === 0) return found;
  const ids = [...first];
  const scores = first.map(() => (found.scores[0] ?? 0) + 1);
  for (const [i, id] of found.ids.entries()) {
    if (first.includes(id)) continue;
    ids.push(id);
    scores.push(found.scores[i]!);
  }
  return { ids: Uint32Array.from(ids), scores: Float32Array.from(scores), isNearest: false };
}
