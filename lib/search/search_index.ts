import { delay } from "../clock.ts";
import { Postings } from "./postings.ts";
import { readQuery } from "./query.ts";
import { Ranking } from "./ranking.ts";
import { isAt, type Phrase, type SynonymTable } from "./synonym_table.ts";
import { newBudget, Vocabulary } from "./vocabulary.ts";
import { squashed, stemOf, wordsOf } from "./words.ts";

/** The searchable text of an entry. */
export interface SearchDocument {
  name: string;
  /** What it is filed under: tags, tools, category, host and path. */
  labels: string;
  tagline: string;
  description: string;
  /** Texts that mean exactly this entry, such as the identity of its address. */
  keys?: readonly string[];
}

/** What a search found: ids of entries, the best first. */
export interface Found {
  ids: number[];
  /** How well each matches, in the same order. */
  scores: number[];
  /** Whether nothing matched well, so that these are only the nearest. */
  isNearest: boolean;
}

/** What a word weighs in each field. */
const FIELDS = [["name", 10], ["labels", 5], ["tagline", 3.5], ["description", 1.2]] as const;
/** A member of a group of synonyms weighs less in a text than the word itself. */
const GROUP = 0.8;

/** Entries that were removed leave gaps. With more than this part of them the index is packed. */
const GAPS_MAX = 1 / 4;

/** What a word stands for in the index. */
interface KnownWord {
  stem: string;
  groups: readonly string[];
  phrases: readonly Phrase[];
}

/** A document's number when the index has none. */
const NONE = 0xffffffff;

/**
 * Full-text search over entries, which are known by small integers. Words are compared by their
 * stems, and the last one also as the beginning of a word. Not every word must occur: entries that
 * have more and rarer words in more important fields come first.
 */
export class SearchIndex {
  readonly #documentOf: (id: number) => SearchDocument;
  readonly #synonyms: SynonymTable;
  readonly #keysOf: (q: string) => readonly string[];
  readonly #pending = new Set<number>();
  /** The numbers of stems and of groups of synonyms. */
  readonly #terms = new Map<string, number>();
  #postings = new Postings();
  readonly #vocabulary = new Vocabulary((word) => this.#countOf(stemOf(word)));
  /** What each word of the texts stands for. */
  readonly #known = new Map<string, KnownWord>();
  readonly #byKey = new Map<string, Set<number>>();
  /** Documents have numbers of their own, which grow: an entry that changes gets a new one. */
  #numbers = new Map<number, number>();
  #ids: number[] = [];
  #names: string[] = [];
  readonly #keys = new Map<number, readonly string[]>();
  readonly #ranking = new Ranking({
    termOf: (term) => this.#terms.get(term),
    postings: () => this.#postings,
  });
  #indexing: Promise<void> | undefined;
  #revision = 0;

  constructor(options: {
    /** The current text of an entry. */
    documentOf: (id: number) => SearchDocument;
    synonyms: SynonymTable;
    /** The keys (`SearchDocument.keys`) that a query may mean. */
    keysOf?: (q: string) => readonly string[];
  }) {
    this.#documentOf = options.documentOf;
    this.#synonyms = options.synonyms;
    this.#keysOf = options.keysOf ?? (() => []);
  }

  /** How many entries wait to be indexed. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Rises whenever a search may find something else. */
  get revision(): number {
    return this.#revision;
  }

  /** Adds an entry, or its new text. It is indexed by the next search, or by `indexPending`. */
  add(id: number): void {
    this.#pending.add(id);
    this.#revision++;
  }

  /** Removes an entry. */
  remove(id: number): void {
    this.#revision++;
    this.#pending.delete(id);
    this.#drop(id);
  }

  /** Indexes what waits, in slices of about `sliceMs` (ms) with room for other work between them. */
  indexPending(sliceMs = 8): Promise<void> {
    return this.#indexing ??= this.#indexSlices(sliceMs).finally(() => this.#indexing = undefined);
  }

  async #indexSlices(sliceMs: number): Promise<void> {
    while (this.#pending.size > 0) {
      this.#flush(sliceMs);
      await delay(0);
    }
  }

  /** The entries that a query means. */
  search(q: string): Found {
    this.#flush();
    const named = this.#keysOf(q).flatMap((key) => [...this.#byKey.get(key) ?? []]);
    const concepts = readQuery(q, {
      vocabulary: this.#vocabulary,
      synonyms: this.#synonyms,
      countOf: (stem) => this.#countOf(stem),
      budget: newBudget(),
    });
    this.#ranking.reserve(this.#ids.length);
    const name = squashed(q);
    const { documents, scores, isNearest } = this.#ranking.rank(concepts, {
      total: this.#numbers.size,
      called: (document) => nameMatch(this.#names[document]!, name),
      namesakes: [...this.#byKey.get(nameKey(name)) ?? []].map((id) => this.#numbers.get(id)!),
      isThere: (document) => this.#ids[document] !== NONE,
    });
    const first = new Set(named);
    const ids = [...first];
    const all = ids.map(() => (scores[0] ?? 0) + 1);
    for (const [i, document] of documents.entries()) {
      const id = this.#ids[document]!;
      if (first.has(id)) continue;
      ids.push(id);
      all.push(scores[i]!);
    }
    return {
      ids,
      scores: all,
      isNearest: isNearest && first.size === 0,
    };
  }

  #countOf(stem: string): number {
    return this.#postings.count(this.#terms.get(stem) ?? -1);
  }

  #flush(budgetMs = Infinity): void {
    if (this.#pending.size === 0) return;
    const end = performance.now() + budgetMs;
    for (const id of this.#pending) {
      this.#pending.delete(id);
      this.#drop(id);
      this.#index(id, this.#documentOf(id));
      if (performance.now() > end) break;
    }
    this.#pack();
  }

  #drop(id: number): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#ids[number] = NONE;
    this.#names[number] = "";
    for (const key of this.#keys.get(id) ?? []) this.#byKey.get(key)?.delete(id);
    this.#keys.delete(id);
  }

  #index(id: number, document: SearchDocument): void {
    const weights = new Map<string, number>();
    for (const [field, weight] of FIELDS) this.#weigh(document[field], field, weight, weights);
    const number = this.#ids.push(id) - 1;
    this.#numbers.set(id, number);
    this.#names[number] = squashed(document.name);
    for (const [stem, weight] of weights) {
      let term = this.#terms.get(stem);
      if (term === undefined) this.#terms.set(stem, term = this.#terms.size);
      this.#postings.add(term, number, weight);
    }
    const keys = [nameKey(this.#names[number]!), ...document.keys ?? []];
    this.#keys.set(id, keys);
    for (const key of keys) {
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, new Set([id]));
      else known.add(id);
    }
  }

  /** Adds what the words of a field weigh to the weights of a document, each word once. */
  #weigh(text: string, field: string, weight: number, weights: Map<string, number>): void {
    const { words, joined } = wordsOf(text);
    // A word that is all of a name says more than one of many.
    const each = field === "name" ? weight / Math.sqrt(Math.max(1, words.length)) : weight;
    const stems: string[] = [];
    const here = new Set<string>();
    const phrases: [at: number, Phrase][] = [];
    for (const word of words) {
      const known = this.#know(word);
      for (const phrase of known.phrases) phrases.push([stems.length, phrase]);
      stems.push(known.stem);
      here.add(known.stem);
      for (const group of known.groups) here.add(group);
    }
    for (const whole of joined.values()) {
      const known = this.#know(whole);
      here.add(known.stem);
      for (const group of known.groups) here.add(group);
    }
    for (const [at, phrase] of phrases) {
      if (isAt(phrase, stems, at)) { for (const group of phrase.groups) here.add(group); }
    }
    for (const stem of here) {
      const part = stem.startsWith("=") ? GROUP * each : each;
      weights.set(stem, (weights.get(stem) ?? 0) + part);
    }
  }

  #know(word: string): KnownWord {
    let known = this.#known.get(word);
    if (known === undefined) {
      const stem = stemOf(word);
      this.#known.set(word, known = { stem, ...this.#synonyms.of(stem) });
      this.#vocabulary.add(word);
    }
    return known;
  }

  /** Gives the documents new numbers without gaps, once there are many. */
  #pack(): void {
    const gaps = this.#ids.length - this.#numbers.size;
    if (gaps < 1_000 || gaps < GAPS_MAX * this.#ids.length) return;
    const before = this.#ids;
    const names = this.#names;
    this.#ids = [];
    this.#names = [];
    const numbers = before.map((id, number) => {
      if (id === NONE) return undefined;
      this.#names.push(names[number]!);
      return this.#ids.push(id) - 1;
    });
    this.#numbers = new Map(this.#ids.map((id, number) => [id, number]));
    const packed = new Postings();
    let term = 0;
    for (const [stem, old] of this.#terms) {
      let count = 0;
      this.#postings.each(old, (document, weight) => {
        const number = numbers[document];
        if (number === undefined) return;
        packed.add(term, number, weight);
        count++;
      });
      if (count === 0) this.#terms.delete(stem);
      else this.#terms.set(stem, term++);
    }
    this.#postings = packed;
  }
}

/** The key of the entries that have a name. */
function nameKey(name: string): string {
  return `name:${name}`;
}

/** How much of a name a query is: 1 if all, 0 if the name does not begin so. Both are squashed. */
function nameMatch(name: string, q: string): number {
  return q.length > 1 && name.startsWith(q) ? q.length / name.length : 0;
}
