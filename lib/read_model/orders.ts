import { CLOCK_SKEW_MS } from "../clock.ts";
import { ageHours, HOT_MAX_AGE_MS, hotScore } from "./hot.ts";
import { type Before, Order } from "./order.ts";
import { atLeastNone, type Counts, type Row } from "./row.ts";
import type { Sort } from "./sorts.ts";

/** The parts of an entry's hot score at the ranking that set the order. */
export interface Explanation {
  votes: number;
  uses: number;
  ageHours: number;
  score: number;
}

/** The entries of a catalogue by id, in all orders. */
export class Orders<T extends Row> {
  readonly #rows: (T | undefined)[] = [];
  readonly #free: number[] = [];
  /** Hot scores by id, all from one time (ms). */
  readonly #scores: number[] = [];
  #rankedAt = -Infinity;
  readonly #orders: ReadonlyMap<Sort, Order>;

  constructor(sorts: readonly Sort[]) {
    const rows = this.#rows;
    const isNewer = (a: number, b: number) => {
      const [one, other] = [rows[a]!, rows[b]!];
      return one.createdAt > other.createdAt ||
        (one.createdAt === other.createdAt && one.slug < other.slug);
    };
    /** By a number, highest first. Ties go to the newer entry, then by slug. */
    const by = (numberOf: (id: number) => number): Before => (a, b) => {
      const [one, other] = [numberOf(a), numberOf(b)];
      return one > other || (one === other && isNewer(a, b));
    };
    const before: Record<Sort, Before> = {
      new: isNewer,
      top: by((id) => rows[id]!.votes),
      copied: by((id) => rows[id]!.uses),
      hot: by((id) => this.#scores[id]!),
    };
    this.#orders = new Map(sorts.map((sort) => [sort, new Order(before[sort])]));
  }

  /** All entries in an order, as last ranked. */
  order(sort: Sort): Order {
    return this.#orders.get(sort)!;
  }

  row(id: number): T {
    return this.#rows[id]!;
  }

  /** All entries, newest first. */
  rows(): T[] {
    return this.order("new").ids().map((id) => this.row(id));
  }

  /**
   * The entries from the future, dated now (ms): a clock was ahead when they were added, and they
   * would lead every order until then.
   */
  ahead(now: number): T[] {
    const ids = this.order("new").ids();
    const end = ids.findIndex((id) => this.row(id).createdAt <= now + CLOCK_SKEW_MS);
    return ids.slice(0, end === -1 ? ids.length : end)
      .map((id) => ({ ...this.row(id), createdAt: now }));
  }

  /** The number of entries created after a time (ms). */
  countAfter(time: number): number {
    const ids = this.order("new").ids();
    const end = ids.findIndex((id) => this.row(id).createdAt <= time);
    return end === -1 ? ids.length : end;
  }

  /** The time (ms) of the last hot ranking. */
  get rankedAt(): number {
    return this.#rankedAt;
  }

  /** Adds an entry, or replaces a known one. */
  put(row: T, known: T | undefined): void {
    row.id = known?.id ?? this.#free.pop() ?? this.#rows.length;
    row.votes = atLeastNone(row.votes);
    row.uses = atLeastNone(row.uses);
    this.#rows[row.id] = row;
    this.#score(row);
    for (const order of this.#orders.values()) order.put(row.id);
  }

  remove({ id }: T): void {
    for (const order of this.#orders.values()) order.remove(id);
    this.#rows[id] = undefined;
    this.#free.push(id);
  }

  /** Changes an entry's counts, and so its place in the orders. */
  count(row: T, { votes, uses }: Counts): void {
    row.votes = atLeastNone(votes);
    row.uses = atLeastNone(uses);
    this.#score(row);
    for (const [sort, order] of this.#orders) if (sort !== "new") order.put(row.id);
  }

  /** Updates the hot ranking if it is a second old or the clock stepped back. */
  rank(now: number): void {
    const age = now - this.#rankedAt;
    if (age >= 0 && age < HOT_MAX_AGE_MS) return;
    this.#rankedAt = now;
    for (const row of this.#rows) if (row !== undefined) this.#score(row);
    this.order("hot").changeAll();
  }

  /** The parts of an entry's hot score at the last ranking. */
  explain({ id, votes, uses, createdAt }: T): Explanation {
    return { votes, uses, ageHours: ageHours(createdAt, this.#rankedAt), score: this.#scores[id]! };
  }

  #score(row: Row): void {
    this.#scores[row.id] = hotScore(row, this.#rankedAt);
  }
}
