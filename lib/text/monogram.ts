/** A word: a letter or digit and the rest. */
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;
/** A word's first character, with up to two marks. */
const INITIAL = /^.\p{M}{0,2}/u;

/**
 * The one or two characters shown for a name without a picture: the initials of its first two
 * words, one character if its script has no capitals, or the first character of a name without
 * letters, such as an emoji. Ignores a package's scope (`@scope/name`).
 */
export function monogram(name: string): string {
  const own = name.replace(/^@[^/]*\/(?=.)/, "").replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ");
  const initials = (own.match(WORDS) ?? []).slice(0, 2).map((word) => INITIAL.exec(word)![0]);
  const [first, second = ""] = initials;
  if (first === undefined) return [...new Intl.Segmenter().segment(own)][0]?.segment ?? "";
  return isCased(first) ? capital(first) + (isCased(second) ? capital(second) : "") : first;
}

function isCased(sign: string): boolean {
  return sign.toLowerCase() !== sign.toUpperCase();
}

/** Capitalizes a character, unless that makes two letters, as with ß. */
function capital(sign: string): string {
  const upper = sign.toUpperCase();
  return upper.length > sign.length ? sign : upper;
}
