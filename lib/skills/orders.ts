import { hotScore } from "../discovery/hot.ts";
import { SortedSlots } from "../discovery/sorted_slots.ts";
import type { PublicSkill, SkillQuery, StoredSkill } from "./schema.ts";

/** How long (ms) one hot order is used. */
const HOT_ORDER_MS = 1_000;

/** A live skill in its slot. */
export interface SkillEntry {
  /** Its place among all that ever were live, and its row in the search index. */
  slot: number;
  stored: StoredSkill;
  skill: PublicSkill;
}

/** The orders of live skills: one that changes moves by itself, and time moves the hot order once a second. */
export class SkillOrders {
  readonly #entries: (SkillEntry | undefined)[];
  /** Hot scores by slot, as of the last ranking. */
  readonly #scores: number[] = [];
  readonly #orders: Record<SkillQuery["sort"], SortedSlots>;
  #rankedAt = -Infinity;

  /** @param entries The live skills by slot, kept by the owner. */
  constructor(entries: (SkillEntry | undefined)[]) {
    this.#entries = entries;
    const isNewer = (a: number, b: number) => {
      const [one, other] = [entries[a]!.stored, entries[b]!.stored];
      return one.createdAt > other.createdAt ||
        (one.createdAt === other.createdAt && one.slug < other.slug);
    };
    const by = (rank: (slot: number) => number) =>
      new SortedSlots((a, b) => rank(a) > rank(b) || (rank(a) === rank(b) && isNewer(a, b)));
    this.#orders = {
      new: new SortedSlots(isNewer),
      top: by((slot) => entries[slot]!.skill.votes),
      copied: by((slot) => entries[slot]!.skill.copies),
      hot: by((slot) => this.#scores[slot]!),
    };
  }

  /** The order of a list at a time (ms). */
  order(sort: SkillQuery["sort"], now: number): SortedSlots {
    if (sort === "hot") this.rankedAt(now);
    return this.#orders[sort];
  }

  /** The time (ms) of the ranking that hot lists show at `now`, at most a second before. */
  rankedAt(now: number): number {
    if (now < this.#rankedAt || now - this.#rankedAt >= HOT_ORDER_MS) {
      this.#rankedAt = now;
      this.#entries.forEach((entry) => entry && this.#score(entry));
      this.#orders.hot.resort();
    }
    return this.#rankedAt;
  }

  /** Loads many: `add` sorts only once `load` has returned. */
  async load(add: () => Promise<void>): Promise<void> {
    const orders = Object.values(this.#orders);
    for (const order of orders) order.startBulk();
    await add();
    for (const order of orders) order.resort();
  }

  /** Takes in the skill of a slot. */
  insert(entry: SkillEntry): void {
    this.#score(entry);
    for (const order of Object.values(this.#orders)) order.insert(entry.slot);
  }

  /** Takes out the skill of a slot, which is still what it was. */
  remove({ slot }: SkillEntry): void {
    for (const order of Object.values(this.#orders)) order.remove(slot);
  }

  /** Adds to a count of a skill. */
  count(entry: SkillEntry, field: "votes" | "copies", delta: number): void {
    const { hot, top, copied } = this.#orders;
    const order = field === "votes" ? top : copied;
    const before = order.indexOf(entry.slot);
    const beforeHot = hot.indexOf(entry.slot);
    entry.skill[field] += delta;
    this.#score(entry);
    order.replace(before);
    hot.replace(beforeHot);
  }

  #score({ slot, stored, skill }: SkillEntry): void {
    const { votes, copies } = skill;
    const { createdAt } = stored;
    this.#scores[slot] = hotScore({ votes, clicks: copies, createdAt }, this.#rankedAt);
  }
}
