import unhomoglyph from "unhomoglyph";

/**
 * The form in which texts that look alike are the same: by the confusables of Unicode (UTS #39), in
 * lower case, with i and 0 as l and o, since "I" looks like "l".
 */
export function skeleton(text: string): string {
  // First as it is: NFKC makes a sigma of the lunate one, which looks like C.
  const lower = unhomoglyph(unhomoglyph(text).normalize("NFKC")).toLowerCase();
  // Once more, for letters whose small form looks like others than the capital does.
  return unhomoglyph(lower).replaceAll("i", "l").replaceAll("0", "o");
}

/** A word: letters of any script with their marks and digits. */
const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/gu;

/**
 * A text with Latin letters instead of those of other scripts that look like them, in words that mix
 * both. A word that is whole in its script stays.
 */
export function withoutLookAlikes(text: string): string {
  return text.replace(WORD, (word) => {
    if (!LATIN.test(word)) return word;
    return word.replace(OTHER_LETTER, (letter) => {
      // The confusables take a capital I for an l, in any script.
      const latin = unhomoglyph(letter).replace(/^l$/, /\p{Lu}/u.test(letter) ? "I" : "l");
      return /^[A-Za-z]+$/.test(latin) ? latin : letter;
    });
  });
}
