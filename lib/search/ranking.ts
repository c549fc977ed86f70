import type { Postings } from "./postings.ts";
import type { Concept } from "./query.ts";

/** How quickly more of the same word stops to count (BM25's k1, in the units of the weights). */
const SATURATION = 4;
/**
 * The part of a query's meaning that an entry must have to match well, compared with the entry that
 * has most of it; and how much of it that one must have.
 */
const ENOUGH = 0.42;
const LEAST = 0.3;
/** A word that nothing has counts as this part of the rarest word. */
const UNKNOWN = 0.8;
/** How much better an entry is whose name is the query, or begins with it. */
const NAMED = 6;
const BEGUN = 2.5;
/** How many entries of a query's words are looked at. Beyond, only the rarer words decide. */
const VISITED_MAX = 250_000;
/** How many nearest entries are found where nothing matches well. */
const NEAREST_MAX = 20;
/** How many of the best are put into their exact order; of the others, in steps of the score. */
const EXACT_MAX = 300;
const STEPS = 4_096;

/** What ranking needs to know of the documents. */
export interface RankedDocuments {
  total: number;
  /** Whether a document still is in the index. */
  isThere(document: number): boolean;
  /** How much of a document's name a query is: 1 if it is the name, 0 if the name begins otherwise. */
  called(document: number): number;
  /** The documents whose name is the query. */
  namesakes: readonly number[];
}

/** Documents, the best first. */
export interface Ranked {
  documents: number[];
  scores: number[];
  /** Whether nothing matched well, so that these are only the nearest. */
  isNearest: boolean;
}

/**
 * Ranks documents by the words of a query. The score is BM25F (Robertson and Zaragoza, 2009), with one
 * weight for all fields of a document.
 */
export class Ranking {
  readonly #termOf: (term: string) => number | undefined;
  readonly #postings: () => Postings;
  /** By document: its score, its share of the query's meaning, and its best part of one word. */
  #scores = new Float32Array(0);
  #shares = new Float32Array(0);
  #best = new Float32Array(0);

  constructor(options: {
    termOf: (term: string) => number | undefined;
    postings: () => Postings;
  }) {
    this.#termOf = options.termOf;
    this.#postings = options.postings;
  }

  /** Makes room for documents below `count`. */
  reserve(count: number): void {
    if (count <= this.#best.length) return;
    const length = Math.ceil(count * 1.25);
    this.#scores = new Float32Array(length);
    this.#shares = new Float32Array(length);
    this.#best = new Float32Array(length);
  }

  /** The documents that match a query well; if none does, the nearest ones. */
  rank(concepts: readonly Concept[], known: RankedDocuments): Ranked {
    const touched = this.#score(concepts, known);
    const scores = this.#scores;
    const shares = this.#shares;
    for (const document of known.namesakes) {
      if (shares[document] === 0) touched.push(document);
      scores[document]! += NAMED;
      shares[document] = 1;
    }
    let most = 0;
    for (const document of touched) most = Math.max(most, shares[document]!);
    const isNearest = most < LEAST;
    const good = isNearest ? touched : touched.filter((n) => shares[n]! >= ENOUGH * most);
    const order = inSteps(good, scores);
    const exact = order.slice(0, EXACT_MAX);
    for (const document of exact) {
      const part = known.called(document);
      if (part < 1) scores[document]! += BEGUN * part;
    }
    exact.sort((a, b) => scores[b]! - scores[a]! || a - b);
    const documents = [...exact, ...order.slice(EXACT_MAX)]
      .slice(0, isNearest ? NEAREST_MAX : undefined);
    const found = { documents, scores: documents.map((n) => scores[n]!), isNearest };
    for (const document of touched) scores[document] = shares[document] = 0;
    return found;
  }

  /** Scores each document that has a word of the query, and returns those documents. */
  #score(concepts: readonly Concept[], { total, isThere }: RankedDocuments): number[] {
    const [scores, shares, best] = [this.#scores, this.#shares, this.#best];
    const postings = this.#postings();
    const measured = concepts.map((concept) => {
      const found = concept.alternatives.flatMap(({ term, weight }) => {
        const number = this.#termOf(term);
        return number === undefined ? [] : [{ number, weight, count: postings.count(number) }];
      });
      const sum = (of: typeof found) => of.reduce((sum, { count }) => sum + count, 0);
      const own = found.filter(({ weight }) => weight === 1);
      const count = sum(own.length > 0 ? own : found);
      const rarity = count === 0 ? UNKNOWN * idf(1, total) : idf(count, total);
      return { found, idf: rarity * concept.meaning, visits: sum(found) };
    }).sort((a, b) => a.visits - b.visits);
    const mass = measured.reduce((sum, { idf }) => sum + idf, 0) || 1;
    const touched: number[] = [];
    let visited = 0;
    for (const { found, idf, visits } of measured) {
      visited += visits;
      if (visited > VISITED_MAX && touched.length > 0) break;
      const here: number[] = [];
      for (const { number, weight } of found) {
        postings.each(number, (document, w) => {
          const part = weight * idf * w / (w + SATURATION);
          const before = best[document]!;
          if (part <= before || !isThere(document)) return;
          if (before === 0) here.push(document);
          best[document] = part;
        });
      }
      for (const document of here) {
        if (shares[document] === 0) touched.push(document);
        scores[document]! += best[document]!;
        shares[document]! += idf / mass;
        best[document] = 0;
      }
    }
    return touched;
  }
}

/** How much a word tells that `count` of `total` documents have. */
function idf(count: number, total: number): number {
  return Math.log(1 + (Math.max(total, count) - count + 0.5) / (count + 0.5));
}

/**
 * Documents by their scores, the highest first, in steps of the highest score: a counting sort,
 * because a search may match half of all documents.
 */
function inSteps(documents: readonly number[], scores: Float32Array): number[] {
  let highest = 0;
  for (const document of documents) highest = Math.max(highest, scores[document]!);
  const stepOf = (document: number) =>
    Math.floor((1 - scores[document]! / (highest || 1)) * (STEPS - 1));
  const starts = new Uint32Array(STEPS + 1);
  for (const document of documents) starts[stepOf(document) + 1]!++;
  for (let step = 1; step <= STEPS; step++) starts[step]! += starts[step - 1]!;
  const order = new Array<number>(documents.length);
  for (const document of documents) order[starts[stepOf(document)]!++] = document;
  return order;
}
