import { setImmediate } from "node:timers/promises";
import { CLOCK_SKEW_MS } from "../clock.ts";
import { ageHours, coolDown, HOT_MAX_AGE_MS, hotWeight } from "./hot.ts";
import { type Before, Order } from "./order.ts";
import { atLeastNone, type Counts, type Row } from "./row.ts";
import type { SortId } from "./sorts.ts";

/** The orders of catalogues; `copied` sorts by uses. */
export type Sort = SortId | "copied";

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
  readonly #hot = new HotScores();
  /** The sort values of each order except newest. */
  readonly #numbers: Readonly<Record<Exclude<Sort, "new">, (id: number) => number>>;
  readonly #orders: ReadonlyMap<Sort, Order>;

  constructor(sorts: readonly Sort[]) {
    const rows = this.#rows;
    const isNewer = (a: number, b: number) => {
      const [one, other] = [rows[a]!, rows[b]!];
      return one.createdAt > other.createdAt ||
        (one.createdAt === other.createdAt && one.slug < other.slug);
    };
    const numbers = this.#numbers = {
      top: (id) => rows[id]!.votes,
      copied: (id) => rows[id]!.uses,
      hot: (id) => this.#hot.of(id),
    };
    /** By a number, highest first. Ties go to the newer entry, then by slug. */
    const before = (sort: Sort): Before => {
      if (sort === "new") return isNewer;
      const numberOf = numbers[sort];
      return (a, b) => {
        const [one, other] = [numberOf(a), numberOf(b)];
        return one > other || (one === other && isNewer(a, b));
      };
    };
    this.#orders = new Map(sorts.map((sort) => [sort, new Order(before(sort))]));
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
    return Array.from(this.order("new").ids(), (id) => this.row(id));
  }

  /**
   * The newest entry as of now (ms) if it is from the future: a clock was ahead when it was added,
   * and it would lead every order until then.
   */
  ahead(now: number): T | undefined {
    const row = this.#rows[this.order("new").ids()[0]!];
    return row && row.createdAt > now + CLOCK_SKEW_MS ? { ...row, createdAt: now } : undefined;
  }

  /** The number of entries created after a time (ms), by binary search. */
  countAfter(time: number): number {
    const ids = this.order("new").ids();
    let from = 0;
    let to = ids.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.row(ids[middle]!).createdAt > time) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The time (ms) of the last hot ranking. */
  get rankedAt(): number {
    return this.#hot.at;
  }

  /** Gives an entry an id and puts it in all orders. */
  insert(row: T): void {
    this.#place(row);
    for (const order of this.#orders.values()) order.insert(row.id);
  }

  /** Adds or replaces an entry during a bulk load; `sort` must follow. */
  append(row: T, known: T | undefined): void {
    this.#place(row, known);
    if (known === undefined) this.order("new").append(row.id);
  }

  /** Sorts appended entries, ranked as of `now` (ms), yielding to other work. */
  async sort(now: number): Promise<void> {
    this.#hot.rank(now);
    const newest = this.order("new");
    newest.resort();
    for (const [sort, order] of this.#orders) {
      if (sort !== "new") order.fill(newest.ids(), this.#numbers[sort]);
      await setImmediate();
    }
  }

  remove({ id }: T): void {
    for (const order of this.#orders.values()) order.remove(id);
    this.#rows[id] = undefined;
    this.#free.push(id);
  }

  /** Replaces an entry with a new version. */
  replace(known: T, row: T): void {
    for (const order of this.#orders.values()) order.remove(known.id);
    this.#place(row, known);
    for (const order of this.#orders.values()) order.insert(row.id);
  }

  /** Changes an entry's counts and re-sorts it. */
  count(row: T, { votes, uses }: Counts): void {
    const places = [...this.#orders.values()].map((order) => ({
      order,
      from: order.indexOf(row.id),
    }));
    row.votes = atLeastNone(votes);
    row.uses = atLeastNone(uses);
    this.#hot.set(row);
    for (const { order, from } of places) order.move(from);
  }

  /** Updates the hot ranking if it is a second old or the clock stepped back. */
  rank(now: number): void {
    const age = now - this.#hot.at;
    if (age >= 0 && age < HOT_MAX_AGE_MS) return;
    this.#hot.rank(now);
    this.order("hot").resort(this.#hot.scores);
  }

  /** The parts of an entry's hot score at the last ranking. */
  explain({ id, votes, uses, createdAt }: T): Explanation {
    const { at } = this.#hot;
    return { votes, uses, ageHours: ageHours(createdAt, at), score: this.#hot.of(id) };
  }

  #place(row: T, known?: T): void {
    row.id = known?.id ?? this.#free.pop() ?? this.#rows.length;
    row.votes = atLeastNone(row.votes);
    row.uses = atLeastNone(row.uses);
    this.#rows[row.id] = row;
    this.#hot.set(row);
  }
}

/** Hot scores by id, all from one time. Ranking scans three flat arrays instead of objects. */
class HotScores {
  at = -Infinity;
  #weights: Float64Array<ArrayBuffer> = new Float64Array(1024);
  #createdAt: Float64Array<ArrayBuffer> = new Float64Array(1024);
  scores: Float64Array<ArrayBuffer> = new Float64Array(1024);

  of(id: number): number {
    return this.scores[id]!;
  }

  set({ id, votes, uses, createdAt }: Row): void {
    if (id >= this.scores.length) {
      this.#weights = doubled(this.#weights);
      this.#createdAt = doubled(this.#createdAt);
      this.scores = doubled(this.scores);
    }
    const weight = hotWeight(votes, uses);
    this.#weights[id] = weight;
    this.#createdAt[id] = createdAt;
    this.scores[id] = coolDown(weight, createdAt, this.at);
  }

  rank(at: number): void {
    this.at = at;
    const weights = this.#weights;
    for (let id = 0; id < weights.length; id++) {
      this.scores[id] = coolDown(weights[id]!, this.#createdAt[id]!, at);
    }
  }
}

function doubled(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(2 * array.length);
  grown.set(array);
  return grown;
}
