import { synonyms } from "../catalog/synonyms.ts";
import { stemOf, wordsOf } from "./words.ts";

/** A phrase of two or more stems: those behind the first, and the groups that it belongs to. */
export interface Phrase {
  rest: readonly string[];
  groups: readonly string[];
}

/** The groups that a stem belongs to, and the phrases that begin with it. */
export interface Meanings {
  groups: readonly string[];
  phrases: readonly Phrase[];
}

const NONE: Meanings = { groups: [], phrases: [] };

/**
 * A table of words and phrases that mean nearly the same. Each group has one word of its own in the
 * index, which stands for any of its members.
 */
export class SynonymTable {
  readonly #byStem = new Map<string, { groups: string[]; phrases: Phrase[] }>();

  constructor(groups: readonly (readonly string[])[]) {
    for (const [i, members] of groups.entries()) {
      for (const member of members) {
        const [first, ...rest] = wordsOf(member).words.map(stemOf);
        let known = this.#byStem.get(first!);
        if (known === undefined) this.#byStem.set(first!, known = { groups: [], phrases: [] });
        if (rest.length > 0) known.phrases.push({ rest, groups: [`=${i}`] });
        else if (!known.groups.includes(`=${i}`)) known.groups.push(`=${i}`);
      }
    }
  }

  /** What a stem means alone, and together with what follows it. */
  of(stem: string): Meanings {
    return this.#byStem.get(stem) ?? NONE;
  }
}

/** The table of the catalog. All catalogues share it: stemming its words takes some milliseconds. */
export const synonymTable = new SynonymTable(synonyms);

/** Whether a phrase is in a list of stems, its first stem at `at`. */
export function isAt({ rest }: Phrase, stems: readonly string[], at: number): boolean {
  return rest.every((stem, i) => stems[at + 1 + i] === stem);
}
