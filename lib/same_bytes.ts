/**
 * What was made `before`, if what is made now differs in its `generatedAt` alone. So whoever polls
 * gets the same bytes, and a 304, until something changes.
 */
export function sameBytes<T extends { generatedAt: string }>(before: T | undefined, made: T): T {
  if (before === undefined) return made;
  const { generatedAt } = before;
  return JSON.stringify({ ...made, generatedAt }) === JSON.stringify(before) ? before : made;
}
