/**
 * A whole number with thousands separators: 12345 is `12,345` in every locale, so pages can be cached.
 */
export function formatCount(n: number): string {
  if (n < 1_000) return String(n);
  return `${formatCount(Math.floor(n / 1_000))},${String(n % 1_000).padStart(3, "0")}`;
}

/**
 * A text's length in code points, as in JSON Schema: an emoji that JavaScript counts as two is one.
 */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** `1 vote`, `2 votes`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${noun(n, one, many)}`;
}

/** `vote` for 1, `votes` for any other number. */
export function noun(n: number, one: string, many = `${one}s`): string {
  return n === 1 ? one : many;
}
