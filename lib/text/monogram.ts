/** A word: a letter or digit, and what goes on from it. */
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;
/** The first sign of a word, with up to two marks on it. */
const INITIAL = /^.\p{M}{0,2}/u;

/**
 * The sign or two that stand for a name where it has no picture: the initials of its first two words, one
 * sign where its script has no capitals, and of a name without letters, such as a lone emoji, its first sign.
 * The scope of a package (`@scope/name`) is left out.
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

/** A sign as a capital; as it is where that would be two letters, such as that of ß. */
function capital(sign: string): string {
  const upper = sign.toUpperCase();
  return upper.length > sign.length ? sign : upper;
}
