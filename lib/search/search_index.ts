import { setImmediate } from "node:timers/promises";
import { type Budget, newBudget, smallBudget } from "./budget.ts";
import { type Field, FIELDS, type SearchDocument, weightOf } from "./document.ts";
import { type Found, putFirst } from "./found.ts";
import { IdsByText } from "./ids_by_text.ts";
import { isGroup, Lexicon } from "./lexicon.ts";
import { NumberLists } from "./number_lists.ts";
import { Postings, STEP } from "./postings.ts";
import { readQuery } from "./query.ts";
import { type IdSet, Ranking } from "./ranking.ts";
import { nameMatch, squashed, wordsOf } from "./words.ts";

/** A text's synonyms weigh less than the word itself. */
const GROUP = 0.8;

/** Entries are similar if they match an entry's gist at least this well, compared with the best. */
const ALIKE = 0.45;
const ALIKE_MAX = 20;

/** Removed entries leave gaps. Above this share, the index is compacted. */
const GAPS_MAX = 1 / 4;

/** How long (ms) it indexes without a pause. */
const SLICE_MS = 8;

/** A removed document's id, and the document number of an entry that has none. */
const NONE = 0xffffffff;

/**
 * Full-text search over entries, identified by small integers. Words are compared by stem, and the
 * last one also as a prefix. Not every word must match: entries with more and rarer words in more
 * important fields come first.
 */
export class SearchIndex {
  readonly #documentOf: (id: number) => SearchDocument;
  readonly #keyOf: (q: string) => string | undefined;
  readonly #tieOrder: () => readonly number[];
  readonly #newBudget: () => Budget;
  readonly #pending = new Set<number>();
  #lexicon = new Lexicon();
  /** The documents of each term, and the words of each document. */
  #postings = new Postings();
  #wordLists = new NumberLists();
  /** Documents have their own increasing numbers. A changed entry gets a new one. */
  readonly #numbers: number[] = [];
  #ids: number[] = [];
  #size = 0;
  /** By id: the entry's name (empty if it is all symbols), and its document's key. */
  readonly #names: string[] = [];
  readonly #keys: (string | undefined)[] = [];
  readonly #byName = new IdsByText();
  readonly #byKey = new IdsByText();
  readonly #ranking = new Ranking();
  /** Rises with each field indexed. */
  #stamp = 0;
  /** By word and by term: the field that had it last. Tells if this field or document had it. */
  #wordSeen: number[] = [];
  #termSeen: number[] = [];
  /** By term: its weight in the current document. */
  #weights: number[] = [];
  #indexing: Promise<void> | undefined;

  constructor(options: {
    /** Reads an entry's current text. */
    documentOf: (id: number) => SearchDocument;
    /** The key (`SearchDocument.key`) that a query may mean. */
    keyOf?: (q: string) => string | undefined;
    /**
     * All ids, in the order of entries that match equally well. Their own order, the default,
     * differs between processes.
     */
    tieOrder?: () => readonly number[];
    /** The budget of each query. */
    newBudget?: () => Budget;
  }) {
    this.#documentOf = options.documentOf;
    this.#keyOf = options.keyOf ?? (() => undefined);
    this.#tieOrder = options.tieOrder ?? (() => [...this.#numbers.keys()]);
    this.#newBudget = options.newBudget ?? newBudget;
  }

  /** The number of entries waiting to be indexed. */
  get pending(): number {
    return this.#pending.size;
  }

  /** The number of known words, including some only in removed entries. */
  get wordCount(): number {
    return this.#lexicon.words.length;
  }

  /** Adds or updates an entry. The next search or `indexPending` indexes it. */
  add(id: number): void {
    this.#pending.add(id);
  }

  /** Removes an entry. */
  remove(id: number): void {
    this.#pending.delete(id);
    this.#drop(id);
  }

  /** Indexes pending entries, yielding to other work. */
  indexPending(): Promise<void> {
    return this.#indexing ??= this.#indexSlices().finally(() => this.#indexing = undefined);
  }

  async #indexSlices(): Promise<void> {
    while (this.#pending.size > 0) {
      this.#flush(SLICE_MS);
      await setImmediate();
    }
  }

  /** The entries that a query means, among those in all of the given sets. */
  search(q: string, within: readonly IdSet[] = []): Found {
    this.#flush();
    const { found, rivals } = this.#find(q, within, this.#newBudget());
    const key = this.#keyOf(q);
    const first = key === undefined ? [] : [...this.#byKey.get(key)];
    // "Angular" may mean the best match, such as "@angular/core".
    const isBegun = (id: number) => rivals.some((name) => nameMatch(this.#names[id]!, name) > 0);
    const best = [...found.ids.subarray(0, 1)].filter(isBegun);
    const [rival] = [...rivals.flatMap((name) => this.#byName.get(name)), ...best];
    const alike = rival === undefined ? [] : this.alike(rival);
    if (rival !== undefined) first.push(rival);
    first.push(...alike.filter((id) => found.ids.includes(id)));
    // Some texts say little, so entries like the rival take turns with those that match the words.
    first.push(...alike.flatMap((id, i) => [id, ...found.ids.subarray(i, i + 1)]));
    const meant = [...new Set(first)].filter((id) => within.every((ids) => ids.has(id)));
    return putFirst(meant, found);
  }

  /** The ids of entries that say most of what an entry says about itself, best first. */
  alike(id: number): number[] {
    this.#flush();
    const within = [{ has: (other: number) => other !== id }];
    const { ids, scores } = this.#find(this.#documentOf(id).gist, within, smallBudget()).found;
    return [...ids.subarray(0, ALIKE_MAX)].filter((_, i) => scores[i]! >= ALIKE * scores[0]!);
  }

  /** What a query finds, not counting keys and rivals, and the names of the rivals. */
  #find(q: string, within: readonly IdSet[], budget: Budget): { found: Found; rivals: string[] } {
    const { concepts, name, names, nearNames, rivals } = readQuery(q, {
      lexicon: this.#lexicon,
      isName: (word) => this.#byName.get(word).length > 0,
      budget,
    });
    const namesakes = this.#byName.get(name);
    const near = namesakes.length > 0 ? [] : nearNames;
    const found = this.#ranking.rank(concepts, {
      counts: this.#lexicon.counts,
      postings: this.#postings,
      ids: this.#ids,
      idsEnd: this.#numbers.length,
      total: this.#size,
      called: (id) => nameMatch(this.#names[id]!, name),
      namesakes,
      nearNamesakes: near.flatMap((name) => this.#byName.get(name)),
      named: names.flatMap((name) => this.#byName.get(name)),
      within,
      tieOrder: this.#tieOrder(),
      budget,
    });
    return { found, rivals };
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
    const number = this.#numbers[id] ?? NONE;
    if (number === NONE) return;
    const { wordCounts, termOf, counts } = this.#lexicon;
    this.#stamp++;
    for (const word of this.#wordLists.at(number)) {
      wordCounts[word]!--;
      const term = termOf[word]!;
      if (this.#termSeen[term] === this.#stamp) continue;
      this.#termSeen[term] = this.#stamp;
      counts[term]!--;
    }
    this.#numbers[id] = NONE;
    this.#ids[number] = NONE;
    this.#size--;
    this.#byName.remove(this.#names[id]!, id);
    this.#names[id] = "";
    const key = this.#keys[id];
    if (key !== undefined) this.#byKey.remove(key, id);
  }

  #index(id: number, document: SearchDocument): void {
    const { wordCounts, counts } = this.#lexicon;
    const words: number[] = [];
    const terms: number[] = [];
    const first = this.#stamp;
    for (const field of FIELDS) this.#weigh(field, document[field], { first, words, terms });
    const number = this.#ids.push(id) - 1;
    for (const word of words) wordCounts[word]!++;
    for (const term of terms) {
      counts[term]!++;
      this.#postings.add(term, number, this.#weights[term]!);
      this.#weights[term] = 0;
    }
    this.#wordLists.push(words);
    while (this.#numbers.length <= id) {
      this.#numbers.push(NONE);
      this.#names.push("");
      this.#keys.push(undefined);
    }
    this.#numbers[id] = number;
    this.#size++;
    const name = this.#names[id] = squashed(document.name);
    if (name !== "") this.#byName.add(name, id);
    const key = this.#keys[id] = document.key;
    if (key !== undefined) this.#byKey.add(key, id);
  }

  /** Adds the weights of a field's words to a document, counting each word once. */
  #weigh(
    field: Field,
    text: string,
    { first, words, terms }: {
      /** The stamp before the document's fields. */
      first: number;
      /** The document's words and terms so far. */
      words: number[];
      terms: number[];
    },
  ): void {
    const lexicon = this.#lexicon;
    const { meanings, termOf } = lexicon;
    const read = wordsOf(text);
    const each = weightOf(field, read.words.length);
    const stamp = ++this.#stamp;
    const note = (word: number, part: number) => {
      const seen = this.#wordSeen[word];
      if (seen === stamp) return;
      this.#wordSeen[word] = stamp;
      if (!(seen! > first)) words.push(word);
      const term = termOf[word]!;
      if (this.#termSeen[term] === stamp) return;
      this.#termSeen[term] = stamp;
      const before = this.#weights[term] ?? 0;
      if (before === 0) terms.push(term);
      this.#weights[term] = before + part;
    };
    const noteAll = (numbers: readonly number[]) => {
      for (const number of numbers) note(number, GROUP * each);
    };
    const inOrder = read.words.map((word) => lexicon.number(word));
    const numbers = [...inOrder, ...read.joined.map(({ whole }) => lexicon.number(whole))];
    for (let i = 0; i < numbers.length; i++) {
      const word = numbers[i]!;
      note(word, each);
      const meaning = meanings[word];
      if (meaning === undefined) continue;
      noteAll(meaning.groups);
      for (const { rest, groups } of meaning.phrases) {
        if (lexicon.hasPhrase(rest, inOrder, i)) noteAll(groups);
      }
    }
  }

  /** Renumbers documents, words and terms once there are many gaps. */
  #pack(): void {
    const gaps = this.#ids.length - this.#size;
    if (gaps < 1_000 || gaps < GAPS_MAX * this.#ids.length) return;
    const [before, postings] = [this.#lexicon, this.#postings];
    const [lists, ids] = [this.#wordLists, this.#ids];
    const lexicon = this.#lexicon = new Lexicon();
    const words = before.words.map((word, i) => {
      if (before.wordCounts[i] === 0) return NONE;
      // A group may have been added earlier with a member.
      const number = isGroup(word)
        ? lexicon.number(word)
        : lexicon.add(word, before.stems[before.termOf[i]!]!);
      lexicon.wordCounts[number] = before.wordCounts[i]!;
      return number;
    });
    this.#ids = [];
    this.#wordLists = new NumberLists();
    const numbers = ids.map((id, number) => {
      if (id === NONE) return NONE;
      this.#wordLists.push(lists.at(number).map((word) => words[word]!));
      return this.#numbers[id] = this.#ids.push(id) - 1;
    });
    this.#postings = new Postings();
    for (const [term, stem] of lexicon.stems.entries()) {
      const old = before.term(stem)!;
      lexicon.counts[term] = before.counts[old]!;
      for (const entry of postings.read(old)) {
        const number = numbers[entry >>> 8]!;
        if (number !== NONE) this.#postings.add(term, number, (entry & 255) * STEP);
      }
    }
    this.#wordSeen = lexicon.words.map(() => 0);
    this.#termSeen = lexicon.stems.map(() => 0);
    this.#weights = lexicon.stems.map(() => 0);
  }
}
