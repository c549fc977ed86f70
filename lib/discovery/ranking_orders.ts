import type { Explanation } from "./catalogue_types.ts";
import { Columns } from "./columns.ts";
import { ageHours, coldness, cooling, HOT_MAX_AGE_MS, hotScore } from "./hot.ts";
import { SortedSlots } from "./sorted_slots.ts";

/**
 * How far apart two keys of the hot order must be, relative to them, to tell which score is higher.
 */
const CLEAR = 1e-12;

/** What a listing is ordered by; `createdAt` in ms since the epoch. */
export interface Ranked {
  slug: string;
  createdAt: number;
  votes: number;
  clicks: number;
}

/** The three orders of live listings, and the numbers that they rest on, by slot. */
export class RankingOrders {
  readonly #columns = new Columns();
  #rankedAt = -Infinity;
  #votes = 0;
  #clicks = 0;

  /**
   * Whether the first of two slots is newer than the second or, if they are of the same time, first
   * by slug.
   */
  readonly isNewer = (a: number, b: number): boolean => {
    const { createdAt, slug } = this.#columns;
    return createdAt[a]! > createdAt[b]! ||
      (createdAt[a] === createdAt[b] && slug[a]! < slug[b]!);
  };

  /** Whether the first of two slots has more votes, or as many and is newer. */
  readonly #isHigher = (a: number, b: number): boolean => {
    const { votes } = this.#columns;
    return votes[a]! > votes[b]! || (votes[a] === votes[b] && this.isNewer(a, b));
  };

  /** Whether the first of two slots has the higher hot score at the last ranking. */
  readonly #isHotter = (a: number, b: number): boolean => {
    const gap = this.#gap(a, b);
    if (gap !== 0) return gap > 0;
    const [ours, theirs] = [this.#score(a), this.#score(b)];
    return ours > theirs || (ours === theirs && this.isNewer(a, b));
  };

  /** Until when (ms) the first of two slots, which is the hotter one, surely stays so. */
  readonly #isHotterUntil = (a: number, b: number): number => {
    const { createdAt, votes, clicks, cooling } = this.#columns;
    // Of two with the same counts, the newer one stays ahead for good.
    if (votes[a] === votes[b] && clicks[a] === clicks[b]) return Infinity;
    // A listing of the future does not age, so nothing can be computed.
    if (Math.max(createdAt[a]!, createdAt[b]!) > this.#rankedAt) return this.#rankedAt;
    const gap = this.#gap(a, b);
    // If the keys are too close, the last bit of the scores may differ each time: look every time.
    if (gap === 0) return this.#rankedAt;
    // The keys approach each other by this much in a ms; it lasts until they are too close.
    const closing = cooling[a]! - cooling[b]! + CLEAR * cooling[a]!;
    if (closing <= 0) return Infinity;
    return this.#rankedAt + (gap - CLEAR * this.#key(a)) / closing;
  };

  readonly #orders = {
    new: new SortedSlots(this.isNewer),
    top: new SortedSlots(this.#isHigher),
    hot: new SortedSlots(this.#isHotter, this.#isHotterUntil),
  };

  /** The time (ms) of the last ranking by hot score. */
  get rankedAt(): number {
    return this.#rankedAt;
  }

  /** Votes and clicks of all listings together. */
  get totals(): { votes: number; clicks: number } {
    return { votes: this.#votes, clicks: this.#clicks };
  }

  /** All slots in one order. */
  order(sort: "hot" | "new" | "top"): SortedSlots {
    return this.#orders[sort];
  }

  /** When the listing at a slot was created (ms). */
  createdAt(slot: number): number {
    return this.#columns.createdAt[slot]!;
  }

  /** Votes and clicks, and nothing else: a page should read no memory that it does not show. */
  counts(slot: number): { votes: number; clicks: number } {
    const { votes, clicks } = this.#columns;
    return { votes: votes[slot]!, clicks: clicks[slot]! };
  }

  slug(slot: number): string {
    return this.#columns.slug[slot]!;
  }

  /** Adds a listing, placed by its score at the time of the last ranking. */
  insert(slot: number, listing: Ranked): void {
    const columns = this.#columns;
    columns.reserve(slot);
    columns.slug[slot] = listing.slug;
    columns.createdAt[slot] = listing.createdAt;
    const votes = atLeastNone(listing.votes);
    const clicks = atLeastNone(listing.clicks);
    columns.votes[slot] = votes;
    columns.clicks[slot] = clicks;
    columns.cooling[slot] = cooling({ votes, clicks });
    this.#votes += votes;
    this.#clicks += clicks;
    for (const order of Object.values(this.#orders)) order.insert(slot);
  }

  remove(slot: number): void {
    for (const order of Object.values(this.#orders)) order.remove(slot);
    const columns = this.#columns;
    this.#votes -= columns.votes[slot]!;
    this.#clicks -= columns.clicks[slot]!;
    columns.slug[slot] = "";
  }

  /** Moves a slot to where its changed counts belong. */
  count(slot: number, counts: { votes?: number; clicks?: number }): void {
    const columns = this.#columns;
    const { hot, top } = this.#orders;
    const inHot = hot.indexOf(slot);
    const inTop = top.indexOf(slot);
    const votes = atLeastNone(counts.votes ?? columns.votes[slot]!);
    const clicks = atLeastNone(counts.clicks ?? columns.clicks[slot]!);
    this.#votes += votes - columns.votes[slot]!;
    this.#clicks += clicks - columns.clicks[slot]!;
    columns.votes[slot] = votes;
    columns.clicks[slot] = clicks;
    columns.cooling[slot] = cooling({ votes, clicks });
    hot.replace(inHot);
    if (counts.votes !== undefined) top.replace(inTop);
  }

  /** Ranks by hot score again when the last ranking is a second old, or the clock stepped back. */
  rank(now: number): void {
    if (now >= this.#rankedAt && now - this.#rankedAt < HOT_MAX_AGE_MS) return;
    const isLater = now > this.#rankedAt;
    this.#rankedAt = now;
    if (isLater) this.#orders.hot.advance(now);
    else this.#orders.hot.resort();
  }

  /** Starts a load of many. The orders are sorted once, by `endBulk`. */
  startBulk(): void {
    for (const order of Object.values(this.#orders)) order.startBulk();
  }

  /** Ends a load of many at `now` (ms). */
  endBulk(now: number): void {
    this.#rankedAt = now;
    for (const order of Object.values(this.#orders)) order.resort();
  }

  /** What the hot score of a slot is made of, as of the last ranking. */
  explain(slot: number): Explanation {
    const { votes, clicks, createdAt } = this.#columns;
    return {
      votes: votes[slot]!,
      clicks: clicks[slot]!,
      ageHours: ageHours(createdAt[slot]!, this.#rankedAt),
      score: this.#score(slot),
    };
  }

  #score(slot: number): number {
    const { votes, clicks, createdAt } = this.#columns;
    return hotScore(
      { votes: votes[slot]!, clicks: clicks[slot]!, createdAt: createdAt[slot]! },
      this.#rankedAt,
    );
  }

  /**
   * How far the key of `b` in the hot order is above that of `a`. 0 if they are too close to tell,
   * so that the scores must be compared.
   */
  #gap(a: number, b: number): number {
    const ours = this.#key(a);
    const gap = this.#key(b) - ours;
    return Math.abs(gap) <= CLEAR * ours ? 0 : gap;
  }

  #key(slot: number): number {
    const { createdAt, cooling } = this.#columns;
    return coldness({ createdAt: createdAt[slot]!, cooling: cooling[slot]! }, this.#rankedAt);
  }
}

/**
 * A count, or 0 if it is below zero: a vote may be taken back before the count that it is part of
 * was read. A score below zero would break the hot order.
 */
function atLeastNone(count: number): number {
  return Math.max(0, count);
}
