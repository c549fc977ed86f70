import type { Explanation } from "./catalogue_types.ts";
import { Columns } from "./columns.ts";
import { ageHours, coldness, cooling, HOT_MAX_AGE_MS, hotScore } from "./hot.ts";
import { SortedSlots } from "./sorted_slots.ts";

/** How far apart, as a part of them, two keys of the hot order must be to tell which score is higher. */
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
  readonly #orders: Record<"hot" | "new" | "top", SortedSlots>;
  #rankedAt = -Infinity;
  #votes = 0;
  #clicks = 0;

  /** Whether the first of two slots is newer than the second, or of the same time and first by slug. */
  readonly isNewer = (a: number, b: number): boolean => {
    const { createdAt, slug } = this.#columns;
    return createdAt[a]! > createdAt[b]! ||
      (createdAt[a] === createdAt[b] && slug[a]! < slug[b]!);
  };

  constructor() {
    const columns = this.#columns;
    const byTime = this.isNewer;
    this.#orders = {
      new: new SortedSlots(byTime),
      top: new SortedSlots((a, b) =>
        columns.votes[a]! > columns.votes[b]! ||
        (columns.votes[a] === columns.votes[b] && byTime(a, b))
      ),
      hot: new SortedSlots((a, b) => {
        const gap = this.#gap(a, b);
        if (gap !== 0) return gap > 0;
        const [ours, theirs] = [this.#score(a), this.#score(b)];
        return ours > theirs || (ours === theirs && byTime(a, b));
      }, (a, b) => {
        const { createdAt, votes, clicks, cooling } = columns;
        // Of two with the same counts the newer one stays before the older one.
        if (votes[a] === votes[b] && clicks[a] === clicks[b]) return Infinity;
        // What is not yet created does not age.
        if (Math.max(createdAt[a]!, createdAt[b]!) > this.#rankedAt) return this.#rankedAt;
        const gap = this.#gap(a, b);
        // Where the keys do not tell, the last bit of a score may fall either way each time.
        if (gap === 0) return this.#rankedAt;
        // Until the keys no longer tell.
        const closing = cooling[a]! - cooling[b]! + CLEAR * cooling[a]!;
        if (closing <= 0) return Infinity;
        return this.#rankedAt + (gap - CLEAR * this.#key(a)) / closing;
      }),
    };
  }

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

  /** Votes and clicks alone: a page reads nothing of memory that it does not show. */
  counts(slot: number): { votes: number; clicks: number } {
    const { votes, clicks } = this.#columns;
    return { votes: votes[slot]!, clicks: clicks[slot]! };
  }

  slug(slot: number): string {
    return this.#columns.slug[slot]!;
  }

  /** Takes a listing in, ranked by the score of the last ranking. */
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

  /** Starts a load of many: the orders are made once, by `endBulk`. */
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

  /** How far key `b` of the hot order is above key `a`; 0 where their scores must tell. */
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
 * A count, or none where it is below zero: a vote may be taken back while the count that it is part of is still to be
 * read. The hot order would not survive a score below zero.
 */
function atLeastNone(count: number): number {
  return Math.max(0, count);
}
