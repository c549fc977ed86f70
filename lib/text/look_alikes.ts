import unhomoglyph from "unhomoglyph";

/**
 * A form that is the same for texts that look alike: lowercase, with Unicode's confusables (UTS
 * #39) folded. i and 0 become l and o, since "I" looks like "l".
 */
export function skeleton(text: string): string {
  // Before NFKC, because that turns a lunate sigma, which looks like C, into a regular one.
  const lower = unhomoglyph(unhomoglyph(text).normalize("NFKC")).toLowerCase();
  // Again, because a lowercase letter can look like a different letter than its capital does.
  return unhomoglyph(lower).replaceAll("i", "l").replaceAll("0", "o");
}

/** A word: letters of any script with their marks, and digits. */
const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/gu;

/**
 * Replaces letters of other scripts that look Latin, in words that mix them with Latin letters. A
 * word in one script stays.
 */
export function withoutLookAlikes(text: string): string {
  return text.replace(WORD, (word) => {
    if (!LATIN.test(word)) return word;
    return word.replace(OTHER_LETTER, (letter) => {
      // The confusables map a capital I in any script to l.
      const latin = unhomoglyph(letter).replace(/^l$/, /\p{Lu}/u.test(letter) ? "I" : "l");
      return /^[A-Za-z]+$/.test(latin) ? latin : letter;
    });
  });
}
