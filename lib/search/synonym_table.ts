import { products } from "../catalog/products.ts";
import { synonyms } from "../catalog/synonyms.ts";
import { meaningOf, stemOf, WEAK_WORDS } from "./english.ts";
import { Vocabulary } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** A phrase of two or more stems: those after the first, and the groups it belongs to. */
interface Phrase {
  rest: readonly string[];
  groups: readonly string[];
  /** True if it is in the other order than in the table. */
  isReversed: boolean;
  /** True if it is the name of a product. Only queries use those. */
  isProduct: boolean;
}

/** What a stem means. */
interface Meanings {
  /** The groups it belongs to. */
  groups: string[];
  /** The groups of what it is, if it is a well-known product. */
  kinds: string[];
  /** The phrases that start with it. */
  phrases: Phrase[];
}

/** The shortest start of a phrase's last word. */
const BEGUN_MIN = 3;

/** The words that may come between those of a phrase in a text, or of a reversed one in a query. */
export const BETWEEN: ReadonlySet<string> = new Set("a an my of our the your".split(" "));

const NONE: Meanings = { groups: [], kinds: [], phrases: [] };

/**
 * A table of words and phrases with nearly the same meaning. Each group has its own word in the
 * index, which stands for all members.
 */
class SynonymTable {
  readonly #byStem = new Map<string, Meanings>();
  /** The table's words, and those that search weighs: what people mean by a mistyped word. */
  readonly vocabulary: Vocabulary;

  constructor() {
    const words = [
      ...new Set([...WEAK_WORDS, ...synonyms.flat().flatMap((it) => wordsOf(it).words)]),
    ];
    this.vocabulary = new Vocabulary({ words, countOf: () => 1 });
    for (const number of words.keys()) this.vocabulary.add(number);
    for (const [i, members] of synonyms.entries()) {
      for (const member of members) {
        const { words } = wordsOf(member);
        const stems = words.map(stemOf);
        this.#add(stems, `=${i}`);
        // "Local models" are also "models locally", but logs in files aren't logins.
        const isTurnable = stems.length === 2 && words.every((word) => meaningOf(word) > 0);
        if (isTurnable) this.#add(stems.toReversed(), `=${i}`, { isReversed: true });
      }
    }
    for (const [i, members] of synonyms.entries()) {
      for (const member of members) this.#addWhole(member, `=${i}`);
    }
    for (const [kind, ...names] of products) {
      for (const [i, members] of synonyms.entries()) {
        if (!members.includes(kind!)) continue;
        for (const name of names) {
          this.#add(wordsOf(name).words.map(stemOf), `=${i}`, { isProduct: true });
        }
      }
    }
  }

  /** Adds a phrase also as one word: "commandline" is "command line". */
  #addWhole(member: string, group: string): void {
    const [one, ...more] = wordsOf(member).words;
    if (more.length === 0) return;
    const others = more.join("");
    const whole = stemOf(one + others);
    const end = whole.slice(one!.length);
    // The stem of "apiclient" is "apicli", but "api cli" isn't an API client.
    const isOther = end !== stemOf(others) && this.has(end);
    if (whole !== stemOf(one!) && !isOther) this.#add([whole], group);
  }

  #add(
    [first, ...rest]: readonly string[],
    group: string,
    { isReversed = false, isProduct = false } = {},
  ): void {
    let known = this.#byStem.get(first!);
    if (known === undefined) {
      this.#byStem.set(first!, known = { groups: [], kinds: [], phrases: [] });
    }
    const alone = isProduct ? known.kinds : known.groups;
    if (rest.length > 0) known.phrases.push({ rest, groups: [group], isReversed, isProduct });
    else if (!alone.includes(group)) alone.push(group);
  }

  /** True if a stem is in the table, not only in a phrase. */
  has(stem: string): boolean {
    const { groups, kinds } = this.of(stem);
    return groups.length + kinds.length > 0;
  }

  /** What a stem means, alone and in a phrase with the stems after it. */
  of(stem: string): Readonly<Meanings> {
    return this.#byStem.get(stem) ?? NONE;
  }
}

let table: SynonymTable | undefined;

/** The table, made when it is first needed: stemming its words would delay the server's start. */
export function synonymTable(): SynonymTable {
  return table ??= new SynonymTable();
}

/**
 * Where a phrase's words are in a query from word `at` on, or nothing if it isn't there. Fillers may
 * come between them: "a file is changed" is a file change. If the order is reversed, only "of" and
 * articles may: "changes of a file".
 */
export function placesOf(
  { rest, isReversed }: Phrase,
  { words, stems, at, isBegun }: {
    words: readonly string[];
    stems: readonly string[];
    at: number;
    /** Whether the last word may be unfinished. */
    isBegun: boolean;
  },
): number[] {
  const places = [at];
  for (const stem of rest) {
    at++;
    const isBetween = (word: string) => isReversed ? BETWEEN.has(word) : meaningOf(word) === 0;
    while (stems[at] !== stem && at < words.length && isBetween(words[at]!)) at++;
    const last = isBegun && at === words.length - 1 ? words[at]! : "";
    if (stems[at] !== stem && !(last.length >= BEGUN_MIN && stem.startsWith(last))) return [];
    places.push(at);
  }
  // "Logs in a file" and "logs in files" aren't logins. Someone logs in "with" or "to" something.
  const next = words[at + 1];
  const isPlace = next !== undefined && (meaningOf(next) > 0 || BETWEEN.has(next));
  if (isPlace && words[at] === "in" && words[places[0]!] === "logs") return [];
  return places;
}
