/**
 * A number with thousands separators: 12345 is `12,345`, in every locale, so that pages can be
 * cached.
 */
export function formatCount(n: number): string {
  return n < 1000 ? String(n) : n.toLocaleString("en-US");
}

/** `1 vote`, `2 votes`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${noun(n, one, many)}`;
}

/** `vote` for 1, `votes` for any other number. */
export function noun(n: number, one: string, many = `${one}s`): string {
  return n === 1 ? one : many;
}
