import { wordsOf } from "../search/words.ts";
import type { HelpAudience } from "./schema.ts";
import type { HelpEntry } from "./types.ts";

/** Words too common in questions to tell entries apart, and what follows an apostrophe. */
const COMMON = new Set(
  "d ll m re s t ve a about an and are as at be by can do does for from get have how i if in is it its me my of on or that the this to was what when where which who why will with you your"
    .split(" "),
);

/** The weight of a word, by where it is found. */
const WEIGHTS = { question: 4, tags: 3, answer: 1 };

/**
 * The entries for an audience that match the question, those with the most matching words first
 * and error codes last; all entries without a question. Entries with at most half the best match's
 * words are left out. A word also matches the start of a word, and a plural its singular. The id of
 * an error's entry finds only that entry.
 */
export function searchHelp(
  entries: readonly HelpEntry[],
  options: { q?: string; audience?: HelpAudience },
): HelpEntry[] {
  const { q, audience } = options;
  const readable = entries.filter((entry) => isFor(entry, audience));
  if (q === undefined) return readable;
  const linked = readable.find((entry) => entry.id === q && isError(entry));
  if (linked !== undefined) return [linked];
  const all = [...new Set(wordsOf(q).words)];
  const telling = all.filter((word) => !COMMON.has(word));
  const words = telling.length > 0 ? telling : all;
  const scored = readable.map((entry) => ({
    entry,
    ...scoreOf(entry, words.map(withoutPlural)),
    error: Number(isError(entry)),
  }));
  const best = Math.max(0, ...scored.map(({ found }) => found));
  return scored
    .filter(({ found }) => found > best / 2)
    .sort((a, b) => b.found - a.found || a.error - b.error || b.score - a.score)
    .map(({ entry }) => entry);
}

function isError({ id }: HelpEntry): boolean {
  return id.startsWith("error-");
}

/**
 * The common start of a word's singular and plural, if it may be a plural: `famil`, `cost`. At
 * least three letters are left, so `ties` stays whole.
 */
function withoutPlural(word: string): string {
  return word.replace(/(?<=...)(?:ies|(?<!s|ie)s)$/, "");
}

/** Entries for both audiences match either. */
function isFor(entry: HelpEntry, audience: HelpAudience | undefined): boolean {
  return audience === undefined || entry.audience === audience || entry.audience === "both";
}

function scoreOf(entry: HelpEntry, words: string[]): { found: number; score: number } {
  const texts = {
    question: wordsOf(entry.q).words,
    tags: wordsOf(`${entry.id} ${entry.tags.join(" ")}`).words,
    answer: wordsOf(entry.a).words,
  };
  let found = 0;
  let score = 0;
  for (const word of words) {
    let best = 0;
    for (const part of ["question", "tags", "answer"] as const) {
      if (texts[part].some((text) => text.startsWith(word))) best += WEIGHTS[part];
    }
    if (best > 0) found++;
    score += best;
  }
  return { found, score };
}
