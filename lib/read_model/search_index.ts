import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Lru } from "../cache/lru.ts";
import { delay } from "../clock.ts";
import type { SearchDocument } from "./search_document.ts";
import { allOf, anyOf, countWords, indexedForm, isSigned, queryWords } from "./search_query.ts";
import { type Budget, newBudget, type Term, Vocabulary } from "./vocabulary.ts";

/** bm25 weights of the columns, in their order. */
const WEIGHTS = "10, 5, 4, 1";
/**
 * With more matches than this, times the words of the query, ranking them by text costs more than it
 * tells.
 */
const MAX_RANKED = 10_000;
/** With more matches than this, ranking what has some of the words takes more than some ms. */
const MAX_NEAR = 3_000;
/** The largest part of all documents that may have a word which tells something about them. */
const TELLING = 0.2;
/** Up to this many documents the vocabulary is read in one go, which takes about 5 ms. */
const SMALL = 2000;
/** Up to this many words, too: texts of made-up words have hundreds of them each. */
const FEW_TERMS = 10_000;
/** How many words of the vocabulary are read in one slice. */
const TERMS_A_SLICE = 2000;
/**
 * How many times as long as reading the vocabulary took we wait before reading it again. It takes a
 * second at 100,000 documents, and a mistyped word after each change asks for it.
 */
const REST = 20;
/** How many ids are kept in the matches of all queries, 16 MB. */
const MAX_KEPT = 4_000_000;

/** What a query matched: ids and, if asked for, the same in order of relevance. */
export interface Matched {
  ids: Uint32Array;
  best?: Uint32Array;
}

/** What an FTS5 expression matched. */
interface Found extends Matched {
  expression: string;
}

/**
 * Full-text search over small integers with SQLite FTS5 in memory. Each word of a query must match as a
 * prefix. A word that no document has is replaced by the nearest words of the vocabulary. The text
 * itself is not kept.
 */
export class SearchIndex {
  readonly #db = new DatabaseSync(":memory:");
  readonly #documentOf: (id: number) => SearchDocument;
  readonly #onVocabulary: () => void;
  readonly #pending = new Set<number>();
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #match: StatementSync;
  readonly #rank: StatementSync;
  readonly #probe: StatementSync;
  readonly #count: StatementSync;
  readonly #terms: StatementSync;
  readonly #found = new Lru<Found>({ max: MAX_KEPT, sizeOf: ({ ids }) => ids.length + 100 });
  #vocabulary = new Vocabulary();
  /** Rises with every change of the index. */
  #revision = 0;
  /** Rises too when near words may be others than before. */
  #foundRevision = 0;
  /** The revision at which the vocabulary was read. */
  #vocabularyRevision = 0;
  #reading = false;
  /** When (by `performance.now`) the vocabulary may be read again, and what waits for that. */
  #restUntil = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #indexing: Promise<void> | undefined;
  readonly #indexed = new Set<number>();

  /**
   * `documentOf` gives the current text of an id. `onVocabulary` is called when mistyped words may
   * find more than before although nothing was added.
   */
  constructor(documentOf: (id: number) => SearchDocument, onVocabulary: () => void = () => {}) {
    this.#documentOf = documentOf;
    this.#onVocabulary = onVocabulary;
    this.#db.exec(`
      PRAGMA journal_mode = OFF;
      CREATE VIRTUAL TABLE documents USING fts5(
        name, labels, tagline, description,
        content = '', contentless_delete = 1, prefix = '1 2 3',
        tokenize = 'unicode61 remove_diacritics 2'
      );
      CREATE VIRTUAL TABLE vocabulary USING fts5vocab(documents, row);
    `);
    this.#insert = this.#db.prepare(
      "INSERT OR REPLACE INTO documents (rowid, name, labels, tagline, description) VALUES (?, ?, ?, ?, ?)",
    );
    this.#delete = this.#db.prepare("DELETE FROM documents WHERE rowid = ?");
    // One string instead of one row for each match: four times faster where thousands match.
    this.#match = this.#db.prepare(
      "SELECT group_concat(rowid) AS ids FROM documents WHERE documents MATCH ?",
    );
    this.#rank = this.#db.prepare(
      `SELECT rowid FROM documents WHERE documents MATCH ? ORDER BY bm25(documents, ${WEIGHTS})`,
    );
    this.#probe = this.#db.prepare("SELECT 1 FROM documents WHERE documents MATCH ? LIMIT 1");
    this.#count = this.#db.prepare(
      "SELECT count(*) AS count FROM (SELECT 1 FROM documents WHERE documents MATCH ? LIMIT ?)",
    );
    this.#terms = this.#db.prepare(
      "SELECT term, doc AS documents FROM vocabulary WHERE term > ? ORDER BY term LIMIT ?",
    );
  }

  /** How many documents wait to be indexed. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Adds an id, or its new text. It is indexed by the next query, or by `indexPending`. */
  add(id: number): void {
    this.#pending.add(id);
    this.#changed();
  }

  remove(id: number): void {
    this.#changed();
    this.#pending.delete(id);
    if (!this.#indexed.has(id)) return;
    this.#indexed.delete(id);
    this.#delete.run(id);
  }

  /**
   * Indexes what waits and reads the vocabulary, in slices of about `sliceMs` (ms) with room for other
   * work between them. Several callers share one run.
   */
  indexPending(sliceMs = 8): Promise<void> {
    return this.#indexing ??= this.#indexSlices(sliceMs).finally(() => this.#indexing = undefined);
  }

  async #indexSlices(sliceMs: number): Promise<void> {
    while (this.#pending.size > 0 && this.#db.isOpen) {
      this.#flush(sliceMs);
      await delay(0);
    }
    await this.#readVocabulary();
  }

  /** The ids that match a query; `best` asks for the order of relevance too. */
  query(q: string, options: { best?: boolean } = {}): Matched {
    const words = queryWords(q);
    if (words.length === 0) return { ids: new Uint32Array() };
    this.#flush();
    const key = words.join(" ");
    const matches = this.#found.get(key, this.#foundRevision) ??
      this.#found.set(key, this.#find(words), this.#foundRevision);
    const { ids } = matches;
    if (
      options.best && matches.best === undefined && ids.length * countWords(words) <= MAX_RANKED
    ) {
      const rows = this.#rank.all(matches.expression);
      matches.best = Uint32Array.from(rows, (row) => row.rowid as number);
    }
    // What is kept for these words may be ranked already, because someone else asked for that.
    return options.best ? matches : { ids };
  }

  /**
   * The ids that have some words of a query that nothing matches, at most `limit`, the best first.
   * Words that more than a part of all documents have tell nothing. Nor do those that come to more
   * matches than can be ranked at once: the rarest count.
   */
  nearest(q: string, limit: number): number[] {
    this.#flush();
    const most = Math.min(MAX_NEAR, Math.max(1, this.#indexed.size * TELLING));
    const budget = newBudget();
    let left = MAX_NEAR;
    const telling = queryWords(q).flatMap((word) => {
      const exact = { expression: allOf([word]), count: this.#countTo(allOf([word]), most) };
      return exact.count > 0 ? exact : this.#nearTo(word, budget).map((near) => {
        const expression = anyOf([near]);
        return { expression, count: this.#countTo(expression, most) };
      });
    }).filter(({ count }) => count > 0 && count <= most)
      .sort((a, b) => a.count - b.count)
      .filter(({ count }) => (left -= count) >= 0);
    if (telling.length === 0) return [];
    const expression = telling.map(({ expression }) => `(${expression})`).join(" OR ");
    return this.#rank.all(expression).slice(0, limit).map(({ rowid }) => rowid as number);
  }

  /** Frees the index. */
  close(): void {
    clearTimeout(this.#resting);
    this.#db.close();
  }

  /**
   * Finds what has all the words as prefixes. If nothing does, each word that no document has is
   * replaced by near words.
   */
  #find(words: string[]): Found {
    const found = this.#evaluate(allOf(words));
    if (found.ids.length > 0) return found;
    this.#refreshVocabulary();
    const known: string[] = [];
    const near: string[] = [];
    const budget = newBudget();
    for (const word of words) {
      if (words.length > 1 && this.#probe.get(allOf([word])) !== undefined) {
        known.push(word);
        continue;
      }
      const nearest = this.#nearTo(word, budget);
      if (nearest.length === 0) return found;
      near.push(anyOf(nearest));
    }
    if (near.length === 0) return found;
    return this.#evaluate([...known.length > 0 ? [allOf(known)] : [], ...near].join(" AND "));
  }

  /** The words of documents that a mistyped one may mean. */
  #nearTo(word: string, budget: Budget): string[] {
    return isSigned(word) ? [] : this.#vocabulary.nearest(word, budget);
  }

  /** How many documents an expression matches; `most` + 1 where there are more. */
  #countTo(expression: string, most: number): number {
    return this.#count.get(expression, Math.floor(most) + 1)!.count as number;
  }

  #evaluate(expression: string): Found {
    const { ids } = this.#match.get(expression) as { ids: string | null };
    return { expression, ids: idsIn(ids ?? "") };
  }

  #changed(): void {
    this.#revision++;
    this.#foundRevision++;
  }

  #flush(budgetMs = Infinity): void {
    if (this.#pending.size === 0) return;
    const end = performance.now() + budgetMs;
    this.#db.exec("BEGIN");
    for (const id of this.#pending) {
      const { name, labels, tagline, description } = this.#documentOf(id);
      this.#insert.run(
        id,
        indexedForm(name),
        indexedForm(labels),
        indexedForm(tagline),
        indexedForm(description),
      );
      this.#pending.delete(id);
      this.#indexed.add(id);
      if (performance.now() > end) break;
    }
    this.#db.exec("COMMIT");
  }

  /**
   * Brings the vocabulary up to date: at once while it is small, otherwise in slices between other
   * work.
   */
  #refreshVocabulary(): void {
    if (this.#vocabularyRevision === this.#revision) return;
    const isLarge = this.#indexed.size > SMALL || this.#vocabulary.size > FEW_TERMS;
    if (isLarge) return void this.#readVocabulary();
    const terms = this.#terms.all("", FEW_TERMS + 1) as unknown as Term[];
    if (terms.length > FEW_TERMS) return void this.#readVocabulary();
    this.#vocabulary = new Vocabulary();
    this.#vocabulary.add(terms);
    this.#vocabularyRevision = this.#revision;
  }

  /** Reads the vocabulary; while it rests, resolves at once, and it is read afterwards. */
  async #readVocabulary(): Promise<void> {
    if (this.#reading || !this.#db.isOpen) return;
    const begun = performance.now();
    if (begun < this.#restUntil) {
      this.#resting ??= setTimeout(() => {
        this.#resting = undefined;
        this.#readVocabulary();
      }, this.#restUntil - begun);
      return;
    }
    this.#reading = true;
    const revision = this.#revision;
    const vocabulary = new Vocabulary();
    for (let last = "";;) {
      const slice = this.#terms.all(last, TERMS_A_SLICE) as unknown as Term[];
      vocabulary.add(slice);
      if (slice.length < TERMS_A_SLICE) break;
      last = slice.at(-1)!.term;
      await delay(0);
      if (!this.#db.isOpen) return;
    }
    this.#vocabulary = vocabulary;
    this.#vocabularyRevision = revision;
    const ended = performance.now();
    this.#restUntil = ended + REST * (ended - begun);
    // Drops results that came from near words of the old vocabulary.
    this.#foundRevision++;
    this.#reading = false;
    this.#onVocabulary();
  }
}

/** The numbers in "1,22,333". Four times faster than split and Number. */
function idsIn(text: string): Uint32Array {
  const ids: number[] = [];
  let id = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 44) {
      ids.push(id);
      id = 0;
    } else {
      id = id * 10 + code - 48;
    }
  }
  if (text !== "") ids.push(id);
  return Uint32Array.from(ids);
}
