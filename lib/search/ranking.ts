import type { Budget } from "./budget.ts";
import { WEAKLY } from "./english.ts";
import type { Found } from "./found.ts";
import { type Postings, STEP } from "./postings.ts";
import type { Concept } from "./query.ts";

/** How soon repeats of a word stop adding to a score (BM25's k1, in weight units). */
const SATURATION = 4;
/**
 * Matches are good if the best one has this share of a query's meaning: more than half, so that one
 * of two equally rare words isn't enough. Shares are sums of rounded numbers.
 */
const BEST = 0.501;
/** The same for a query of four words or more: no tagline says all that a sentence does. */
const BEST_OF_MANY = 0.401;
const MANY = 4;
/**
 * The other matches need the same share, or this part of the highest score. Of the entries below
 * that, about 2 in 100 are what the requests in `tests/fixtures/search_requests.ts` ask for.
 */
const CLOSE = 0.4;
/** The boost for an entry whose name is the query or starts with it. */
const NAMED = 6;
const BEGUN = 2.5;
/** The boost for an entry whose name is the query without its filler words. */
const NEARLY_NAMED = 3;
/** How many nearest entries to return if nothing matches well. */
const NEAREST_MAX = 20;
/** A weak word, such as "best" or "2026", counts as if one in this many entries had it. */
const WEAK_IN = 10;
/** How many of the best are sorted exactly. The rest are sorted in score steps. */
const EXACT_MAX = 300;
const STEPS = 4_096;

/** What a weight of this many steps adds to a score. */
const PARTS = Float32Array.from({ length: 256 }, (_, n) => n * STEP / (n * STEP + SATURATION));

/** A set of entries, as far as a search uses it. */
export type IdSet = Pick<ReadonlySet<number>, "has">;

/** What ranking needs to know about the documents. */
interface RankedDocuments {
  postings: Postings;
  /** The number of documents with each term. */
  counts: readonly number[];
  /** The documents' ids. For removed documents, `idsEnd` or more. */
  ids: readonly number[];
  idsEnd: number;
  /** The number of documents. */
  total: number;
  /** How much of an entry's name a query covers: 1 for all, 0 if the name starts differently. */
  called(id: number): number;
  /** The entries whose name is the query, and those whose name is the query without fillers. */
  namesakes: readonly number[];
  nearNamesakes: readonly number[];
  /** The entries whose name is in the query. Their share is raised to the highest. */
  named: readonly number[];
  /** Only entries in all of these sets are found. */
  within: readonly IdSet[];
  /** All ids, in the order of entries with the same score. */
  tieOrder: readonly number[];
  budget: Budget;
}

/**
 * Ranks documents by a query's words. The score is BM25F (Robertson and Zaragoza, 2009) with one
 * weight for all fields of a document.
 */
export class Ranking {
  /** By id: the score, the share of the query's meaning, and the best part of one word. */
  #scores = new Float32Array(0);
  #shares = new Float32Array(0);
  #best = new Float32Array(0);
  /** The ids a query has touched, and those matching its current word. */
  #touched = new Uint32Array(0);
  #here = new Uint32Array(0);

  /** The entries that match a query well, or the nearest ones if none does. */
  rank(concepts: readonly Concept[], known: RankedDocuments): Found {
    this.#reserve(known.idsEnd);
    const [scores, shares] = [this.#scores, this.#shares];
    const { within } = known;
    const isWithin = (id: number) => within.length === 0 || within.every((ids) => ids.has(id));
    let end = this.#score(concepts, { ...known, isWithin });
    const scored = this.#touched.subarray(0, end);
    const highest = largest(scores, scored);
    let most = largest(shares, scored);
    const boosts = [[known.namesakes, NAMED], [known.nearNamesakes, NEARLY_NAMED]] as const;
    for (const [ids, boost] of boosts) {
      for (const id of ids.filter(isWithin)) {
        if (shares[id] === 0) this.#touched[end++] = id;
        scores[id]! += boost;
        most = shares[id] = 1;
      }
    }
    const touched = this.#touched.subarray(0, end);
    for (const id of known.named) if (shares[id]! > 0) shares[id] = most;
    const hasGood = most >= (concepts.length < MANY ? BEST : BEST_OF_MANY);
    const good = hasGood ? this.#good(touched, most, highest) : touched;
    const order = inSteps(inOrder(good, known.tieOrder, this.#best), scores);
    const exact = order.subarray(0, EXACT_MAX);
    for (const id of exact) {
      const part = known.called(id);
      if (part < 1) scores[id]! += BEGUN * part;
    }
    // Ties stay in order. An array is sorted much faster than a typed array.
    order.set(Array.from(exact).sort((a, b) => scores[b]! - scores[a]!));
    const ids = hasGood ? order : order.slice(0, NEAREST_MAX);
    const isNearest = !hasGood && ids.length > 0;
    const ranked = { ids, scores: valuesAt(scores, ids), isNearest };
    clear(scores, touched);
    clear(shares, touched);
    return ranked;
  }

  /** The touched entries that match well. */
  #good(touched: Uint32Array, most: number, highest: number): Uint32Array {
    const [scores, shares, here] = [this.#scores, this.#shares, this.#here];
    let end = 0;
    for (const id of touched) {
      // The shares are sums of rounded numbers.
      if (shares[id]! > 0.99 * most || scores[id]! >= CLOSE * highest) here[end++] = id;
    }
    return here.subarray(0, end);
  }

  /** Scores each entry that has a query word. Returns how many it touched. */
  #score(
    concepts: readonly Concept[],
    known: RankedDocuments & { isWithin: (id: number) => boolean },
  ): number {
    const { postings, counts, total, budget } = known;
    const measured = concepts.map(({ alternatives, meaning }) => {
      const found = [...alternatives].map(([term, weight]) => ({
        term,
        weight,
        count: counts[term]!,
      })).sort((a, b) => b.weight - a.weight || b.count - a.count);
      const sum = (of: typeof found) => of.reduce((sum, { count }) => sum + count, 0);
      const own = found.filter(({ weight }) => weight === 1);
      const count = sum(own.length > 0 ? own : found);
      // A word found nowhere counts as much as the rarest.
      const least = meaning <= WEAKLY ? total / WEAK_IN : 0;
      return { found, idf: idf(Math.max(count, 1, least), total) * meaning, visits: sum(found) };
    }).sort((a, b) => a.visits - b.visits);
    const mass = measured.reduce((sum, { idf }) => sum + idf, 0) || 1;
    let end = 0;
    for (const { found, idf } of measured) {
      let hereEnd = 0;
      for (const { term, weight, count } of found) {
        // Part of a term's entries would be an arbitrary part, so take all or none.
        if (count > budget.visits && end + hereEnd > 0) continue;
        const entries = postings.read(term, budget.visits);
        budget.visits -= Math.min(count, budget.visits);
        hereEnd = this.#match(entries, weight * idf, { ...known, hereEnd });
      }
      end = this.#add(hereEnd, idf / mass, end);
    }
    return end;
  }

  /** Keeps each entry's best part of the current word. Returns how many entries have one. */
  #match(
    entries: Uint32Array,
    weight: number,
    { ids, idsEnd, isWithin, hereEnd }: Pick<RankedDocuments, "ids" | "idsEnd"> & {
      isWithin: (id: number) => boolean;
      hereEnd: number;
    },
  ): number {
    const [best, here] = [this.#best, this.#here];
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      const id = ids[entry >>> 8]!;
      if (id >= idsEnd) continue;
      const part = weight * PARTS[entry & 255]!;
      const before = best[id]!;
      if (part <= before) continue;
      if (before === 0) {
        if (!isWithin(id)) continue;
        here[hereEnd++] = id;
      }
      best[id] = part;
    }
    return hereEnd;
  }

  /** Adds the current word's parts to the scores. Returns how many entries are touched now. */
  #add(hereEnd: number, share: number, end: number): number {
    const [scores, shares, best] = [this.#scores, this.#shares, this.#best];
    const [touched, here] = [this.#touched, this.#here];
    for (let i = 0; i < hereEnd; i++) {
      const id = here[i]!;
      if (shares[id] === 0) touched[end++] = id;
      scores[id]! += best[id]!;
      shares[id]! += share;
      best[id] = 0;
    }
    return end;
  }

  /** Grows the arrays for ids below `end`. */
  #reserve(end: number): void {
    if (end <= this.#best.length) return;
    const length = Math.ceil(end * 1.25);
    this.#scores = new Float32Array(length);
    this.#shares = new Float32Array(length);
    this.#best = new Float32Array(length);
    this.#touched = new Uint32Array(length);
    this.#here = new Uint32Array(length);
  }
}

/** The information in a word found in `count` of `total` documents. */
function idf(count: number, total: number): number {
  return Math.log(1 + (Math.max(total, count) - count + 0.5) / (count + 0.5));
}

/**
 * Sorts ids by score, highest first, in steps of the highest score: a counting sort, because a
 * search may match half of all entries. In the same step, ids stay in order.
 */
function inSteps(ids: Uint32Array, scores: Float32Array): Uint32Array {
  const scale = (STEPS - 1) / (largest(scores, ids) || 1);
  const starts = new Uint32Array(STEPS + 1);
  for (const id of ids) starts[STEPS - Math.floor(scores[id]! * scale)]!++;
  for (let step = 1; step <= STEPS; step++) starts[step]! += starts[step - 1]!;
  const order = new Uint32Array(ids.length);
  for (const id of ids) order[starts[STEPS - 1 - Math.floor(scores[id]! * scale)]!++] = id;
  return order;
}

// Each loop over many entries has a function of its own, which V8 compiles after a few searches. In
// a longer function it takes hundreds, and until then each number is an object.

/** The largest of the values at some ids, or 0. */
function largest(values: Float32Array, ids: Uint32Array): number {
  let largest = 0;
  for (let i = 0; i < ids.length; i++) largest = Math.max(largest, values[ids[i]!]!);
  return largest;
}

/** Sorts ids like `all`. `marks` is all 0, before and after. */
function inOrder(ids: Uint32Array, all: readonly number[], marks: Float32Array): Uint32Array {
  const sorted = new Uint32Array(ids.length);
  let end = 0;
  for (let i = 0; i < ids.length; i++) marks[ids[i]!] = 1;
  for (let i = 0; i < all.length; i++) {
    if (marks[all[i]!] === 1) sorted[end++] = all[i]!;
  }
  clear(marks, ids);
  return sorted.subarray(0, end);
}

function valuesAt(values: Float32Array, ids: Uint32Array): Float32Array {
  const found = new Float32Array(ids.length);
  for (let i = 0; i < ids.length; i++) found[i] = values[ids[i]!]!;
  return found;
}

function clear(values: Float32Array, ids: Uint32Array): void {
  for (let i = 0; i < ids.length; i++) values[ids[i]!] = 0;
}
