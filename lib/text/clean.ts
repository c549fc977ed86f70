import { z } from "zod";
import { formatCount, lengthOf, plural } from "./count.ts";

/**
 * What is removed from user text, and what gets it refused.
 *
 * | Characters | Fate |
 * |---|---|
 * | soft hyphen 00AD, joiners and marks 034F 061C 115F-1160 17B4-17B5 180B-180F 3164 FFA0 | removed |
 * | zero width 200B-200F, 2060-2065, byte order mark FEFF | removed |
 * | direction overrides and isolates 202A-202E, 2066-206F | removed |
 * | variation selectors FE00-FE0F and E0100-E01EF, tags E0000-E007F, other E0000-E0FFF | removed |
 * | unassigned FFF0-FFF8, shorthand 1BCA0-1BCA3, musical 1D173-1D17A | removed |
 * | interlinear annotations FFF9-FFFB | removed |
 * | ZWJ between two pictographs; FE0E or FE0F after a pictograph or in a keycap; tags of the three RGI flags | kept |
 * | CR LF, CR, 2028, 2029 | LF where lines are allowed, else refused |
 * | tab | kept where lines are allowed, else refused |
 * | other C0, DEL and C1 controls, lone surrogates, noncharacters | refused |
 * | more than 30 combining marks in a row | refused |
 *
 * What is removed is Unicode's Default_Ignorable_Code_Point, and annotations: text that programs read
 * but people don't see. It can hide instructions from the person who approves them.
 */
const INVISIBLE = new RegExp(
  [
    // Kept: the flags of England, Scotland and Wales are the only tag sequences that are emoji.
    String.raw`(?<keep>\u{1F3F4}\u{E0067}\u{E0062}(?:` +
    String
      .raw`\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}` +
    String.raw`|(?<=\p{ExtPict}\uFE0F?|\p{EMod})\u200D(?=\p{ExtPict})` +
    String.raw`|(?<=\p{ExtPict})[\uFE0E\uFE0F]` +
    String.raw`|(?<=[0-9#*])\uFE0F(?=\u20E3))`,
    String.raw`[\p{DI}\uFFF9-\uFFFB]`,
  ].join("|"),
  "gu",
);

const LINE_BREAK = /\r\n?|[\u2028\u2029]/g;
// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]|\p{NChar}/u;
/**
 * More marks on one character than any language uses (UAX #15, Stream-Safe Text Format).
 * Normalizing them takes quadratic time.
 */
const STACKED = /\p{M}{31}/u;
/** Matches visible text. U+2800 is a braille pattern without dots. */
export const NOT_BLANK = /[^\s\u2800]/;

/** Cleaned user text, and what is wrong with it. */
interface Cleaned {
  text: string;
  problems: string[];
}

/** What people can't see or read: everything `INVISIBLE` removes, and controls. */
const HIDDEN = new RegExp(`${INVISIBLE.source}|${CONTROL.source}`, "gu");

/** A run of invisible text: where it starts (UTF-16 index) and its characters. */
interface InvisibleRun {
  index: number;
  text: string;
}

/**
 * Every run of neighboring characters that the table above removes (including direction overrides),
 * and of controls and noncharacters, in order.
 */
export function invisibleRuns(text: string): InvisibleRun[] {
  const runs: InvisibleRun[] = [];
  for (const { 0: character, index, groups } of text.matchAll(HIDDEN)) {
    if (groups!.keep !== undefined) continue;
    const last = runs.at(-1);
    if (last && last.index + last.text.length === index) last.text += character;
    else runs.push({ index, text: character });
  }
  return runs;
}

/** Replaces each run of invisible characters with a mark saying what it was. */
export function showInvisible(text: string): string {
  let shown = "";
  let read = 0;
  for (const { index, text: run } of invisibleRuns(text)) {
    shown += text.slice(read, index) + markOf([...run]);
    read = index + run.length;
  }
  return shown + text.slice(read);
}

function markOf(characters: string[]): string {
  if (characters.length > 1) return `⟦${characters.length} invisible characters⟧`;
  return `⟦${codePoint(characters[0]!)}⟧`;
}

/** A character's Unicode notation, such as `U+200B`. */
export function codePoint(character: string): string {
  return "U+" + character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}

/** Removes the invisible and direction-override characters in the table above and nothing else. */
export function removeInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (match, keep: string | undefined) => keep === undefined ? "" : match,
  );
}

/**
 * The start of untrusted input, up to `max` UTF-16 units, to quote in an error: without invisible
 * characters, and without split characters, which strict JSON readers refuse.
 */
export function toldBack(text: string, max: number): string {
  return text.slice(0, max).replace(HIDDEN, (_, keep = "") => keep).toWellFormed();
}

/**
 * Cleans user text: removes invisible characters, normalizes to NFC, trims, and makes line breaks
 * LF. Idempotent. Takes time linear in the length of `raw`, which callers limit first.
 */
export function cleanText(raw: string, options: { lines?: boolean } = {}): Cleaned {
  if (!raw.isWellFormed()) {
    return { text: raw, problems: ["Must not contain an invalid character"] };
  }
  if (STACKED.test(removeInvisible(raw))) {
    return { text: raw, problems: ["Must not have more than 30 combining marks in a row"] };
  }
  const text = removeInvisible(raw.normalize("NFC")).replace(LINE_BREAK, "\n").normalize("NFC")
    .trim();
  const problems: string[] = [];
  if (CONTROL.test(text) || (!options.lines && text.includes("\t"))) {
    problems.push("Must not contain control characters");
  }
  if (!options.lines && text.includes("\n")) problems.push("Must not contain line breaks");
  return { text: NOT_BLANK.test(text) ? text : "", problems };
}

/** How `userText` checks a field. Lengths are counted after cleaning. */
interface UserTextOptions {
  max: number;
  min?: number;
  /** Allows line breaks and tabs. */
  lines?: boolean;
}

/**
 * The raw length above which text is refused without cleaning: far more than cleaning could bring
 * under `max`.
 */
export function rawCap(max: number): number {
  return max * 4 + 1_000;
}

/**
 * A zod string for text that people and agents write: cleaned as in `cleanText`, then measured.
 * It stays a string schema in OpenAPI, with `minLength` and `maxLength`, and reports every problem.
 */
export function userText(options: UserTextOptions): z.ZodString {
  const { max, min = 0, lines = false } = options;
  return z.string().check((context) => {
    const raw = context.value;
    const report = (message: string, params?: { isMissing: true }) =>
      context.issues.push({ code: "custom", input: raw, message, params });
    const tooLong = (length: number) =>
      report(`Must have at most ${plural(max, "character")}, not ${formatCount(length)}`);
    if (raw.length > rawCap(max)) return void tooLong(lengthOf(raw));
    const { text, problems } = cleanText(raw, { lines });
    context.value = text;
    for (const problem of problems) report(problem);
    const length = lengthOf(text);
    if (length > max) tooLong(length);
    if (text === "" && min > 0) report("Must not be empty", { isMissing: true });
    else if (length < min) {
      report(`Must have at least ${plural(min, "character")}, not ${length}`);
    }
  }).meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}
