/** Characters that are neither ASCII nor the punctuation of prose. */
// deno-lint-ignore no-control-regex
const UNFOLDED = /[^\x00-\x7f\u2010-\u205e]/;
/** Accents and marks that people often leave out: Latin, Greek, Cyrillic, Hebrew and Arabic. */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u0655\u0670]/g;
/** Letters that Unicode doesn't decompose, and what people type instead on other keyboards. */
const PLAIN: Record<string, string> = { đ: "d", ø: "o", ł: "l", æ: "ae", œ: "oe" };

/** Languages and platforms told apart only by symbols, and words for them. */
const SIGNED = /(?<![\p{L}\p{N}])(?:c\+\+|[cf]#|\.net\b)/giu;
const SIGNED_WORDS: Record<string, string> = {
  "c++": "cpp",
  "c#": "csharp",
  "f#": "fsharp",
  ".net": "dotnet",
};

/** Scripts written without spaces. Their characters are indexed in pairs, or alone if single. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Words, parts of a name joined by symbols ("next.js", "e-mail", "don't"), or one emoji. */
const CHUNK = /[\p{L}\p{N}\p{M}]+(?:[.\-_'’/@][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}/gu;
const JOINTS = /[.\-_'’/@]/;
/** Where a name has two words with no symbol between them. "JavaScript" is one: it isn't Java. */
const CAMEL = /(?<=[a-z])(?!Script)(?=[A-Z][a-z])/g;
const DIGITS = /(?<=[a-z]{3})([a-z])(\d)/gi;
/** The maximum number of parts also read as one word, and the longest such word. */
const JOINED_PARTS_MAX = 4;
const WORD_MAX = 40;

/**
 * The form used to compare texts and queries: compatible spellings (full width, ligatures,
 * mathematical letters) are unified, marks dropped and letters lowercased. Uppercasing first makes
 * "ß" equal "SS" and "ı" equal "I".
 */
function searchForm(given: string): string {
  const text = given.replace(SIGNED, (name) => ` ${SIGNED_WORDS[name.toLowerCase()]} `);
  if (!UNFOLDED.test(text)) return text.toLowerCase();
  // No language's text becomes three times as long, but some symbols become sentences.
  return text.normalize("NFKD").slice(0, 3 * text.length).replace(MARKS, "").normalize("NFC")
    .toLowerCase().toUpperCase().toLowerCase().replace(/[đøłæœ]/g, (letter) => PLAIN[letter]!);
}

/** A text's words in order, plus those joined by symbols ("next.js" is "nextjs"). */
export interface Words {
  words: string[];
  joined: readonly { whole: string; parts: readonly string[] }[];
}

/** A text's words. Camel case names are also split into parts. */
export function wordsOf(given: string): Words {
  return plainWordsOf(given) ?? anyWordsOf(given);
}

/** Kinds of characters. */
const UNKNOWN = -1;
const OTHER = 0;
const JOINT = 1;
const DIGIT = 2;
const LOWER = 3;
const UPPER = 4;
const HASH = 35;
const PLUS = 43;
const DOT = 46;
/** The kinds of ASCII characters. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[a-z]/.test(letter)
    ? LOWER
    : /[A-Z]/.test(letter)
    ? UPPER
    : /[0-9]/.test(letter)
    ? DIGIT
    : JOINTS.test(letter)
    ? JOINT
    : OTHER;
});

/** The same, faster, for most texts: ASCII and prose punctuation, without names like "C++". */
function plainWordsOf(text: string): Words | undefined {
  const lower = text.toLowerCase();
  const words: string[] = [];
  const joined: { whole: string; parts: string[] }[] = [];
  let from = -1;
  let chunk = 0;
  let letters = 0;
  let before = OTHER;
  let next = kindAt(text, 0);
  for (let i = 0; i <= text.length; i++) {
    const kind = next;
    if (kind === UNKNOWN) return undefined;
    next = kindAt(text, i + 1);
    if (kind >= DIGIT) {
      const isNext = from >= 0 &&
        (kind === DIGIT
          ? letters > 3
          : kind === UPPER && before === LOWER && next === LOWER && !text.startsWith("Script", i));
      if (from < 0 || isNext) {
        if (isNext) words.push(lower.slice(from, i));
        from = i;
        letters = 0;
      }
      letters = kind === DIGIT ? 0 : letters + 1;
    } else {
      if (isSign(lower, i)) return undefined;
      if (from >= 0) words.push(lower.slice(from, i));
      from = -1;
      letters = 0;
      if (kind === OTHER || before === JOINT || next < DIGIT) {
        if (words.length - chunk > 1) join(words.slice(chunk), joined);
        chunk = words.length;
      }
    }
    before = kind;
  }
  const isLong = words.some((word) => word.length > WORD_MAX);
  return { words: isLong ? words.filter((word) => word.length <= WORD_MAX) : words, joined };
}

function kindAt(text: string, i: number): number {
  const code = i < text.length ? text.charCodeAt(i) : 32;
  if (code < 128) return KINDS[code]!;
  return code === 0x2019 ? JOINT : code >= 0x2010 && code <= 0x205e ? OTHER : UNKNOWN;
}

/** True if a symbol may be part of a name like those in `SIGNED_WORDS`. */
function isSign(lower: string, i: number): boolean {
  const sign = lower.charCodeAt(i);
  if (sign === PLUS) return lower.charCodeAt(i + 1) === PLUS;
  if (sign === HASH) return i > 0 && "cf".includes(lower[i - 1]!);
  return sign === DOT && lower.startsWith("net", i + 1);
}

/** Adds the words that the parts of a name form together. */
function join(parts: string[], joined: { whole: string; parts: string[] }[]): void {
  const whole = parts.join("");
  if (parts.length <= JOINED_PARTS_MAX && whole.length <= WORD_MAX) joined.push({ whole, parts });
}

function anyWordsOf(given: string): Words {
  // "DiscordJs" is two words that form one, and so is "parse5".
  const text = searchForm(given.replace(CAMEL, "_").replace(DIGITS, "$1_$2"));
  const words: string[] = [];
  const joined: { whole: string; parts: string[] }[] = [];
  for (const chunk of text.match(CHUNK) ?? []) {
    const parts = chunk.split(JOINTS).flatMap(pairsOf);
    words.push(...parts);
    if (JOINTS.test(chunk)) join(parts, joined);
  }
  return { words, joined };
}

/** A run of letters as words: itself, or pairs of neighbors in scripts without spaces. */
function pairsOf(run: string): string[] {
  if (!isUnspaced(run)) return run.length > WORD_MAX ? [] : [run];
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, i) => letters[i]! + letter);
}

/** True if a word is one character or a pair from a script without spaces. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** A text's letters and digits with nothing in between: "Date-fns" is "datefns". */
export function squashed(text: string): string {
  return searchForm(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, "");
}

/**
 * How much of a name a query covers: 1 for all, 0 if the name starts differently. Both are
 * squashed.
 */
export function nameMatch(name: string, q: string): number {
  return q.length > 1 && name.startsWith(q) ? q.length / name.length : 0;
}
