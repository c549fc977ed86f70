import { ageHours, HOT_MAX_AGE_MS, hotScore } from "./hot.ts";
import { type Before, Order } from "./order.ts";
import type { Counts, Row } from "./row.ts";
import type { Sort } from "./sorts.ts";

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

  /** The ids of entries created after a time (ms), newest first. */
  after(time: number): readonly number[] {
    const ids = this.order("new").ids();
    const end = ids.findIndex((id) => this.row(id).createdAt <= time);
    return end === -1 ? ids : ids.slice(0, end);
  }

  /** The time (ms) of the last hot ranking. */
  get rankedAt(): number {
    return this.#rankedAt;
  }

  /** Adds an entry, or replaces a known one. */
  put(row: T, known: T | undefined): void {
    row.id = known?.id ?? this.#free.pop() ?? this.#rows.length;
    this.#rows[row.id] = row;
    this.#setCounts(row, row);
    for (const order of this.#orders.values()) order.put(row.id);
  }

  remove({ id }: T): void {
    for (const order of this.#orders.values()) order.remove(id);
    this.#rows[id] = undefined;
    this.#free.push(id);
  }

  /** Changes an entry's counts, and so its place in the orders. */
  count(row: T, counts: Counts): void {
    this.#setCounts(row, counts);
    for (const [sort, order] of this.#orders) if (sort !== "new") order.put(row.id);
  }

  /** Updates the hot ranking if it is a second old or the clock stepped back. */
  rank(now: number): void {
    const age = now - this.#rankedAt;
    if (age >= 0 && age < HOT_MAX_AGE_MS) return;
    this.#rankedAt = now;
    for (const row of this.#rows) if (row !== undefined) this.#scores[row.id] = hotScore(row, now);
    this.order("hot").changeAll();
  }

  /** The parts of an entry's hot score at the last ranking. */
  explain({ id, votes, uses, createdAt }: T) {
    return { votes, uses, ageHours: ageHours(createdAt, this.#rankedAt), score: this.#scores[id]! };
  }

  /** Counts are at least 0: we may hear of a vote's removal before the vote. */
  #setCounts(row: T, { votes, uses }: Counts): void {
    row.votes = Math.max(0, votes);
    row.uses = Math.max(0, uses);
    this.#scores[row.id] = hotScore(row, this.#rankedAt);
  }
}
