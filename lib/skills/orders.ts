import { RankingOrders } from "../discovery/ranking_orders.ts";
import { SortedSlots } from "../discovery/sorted_slots.ts";
import type { PublicSkill, SkillQuery, StoredSkill } from "./schema.ts";

/** A live skill in its slot. */
export interface SkillEntry {
  /** Its number among all skills that were ever live, and its row in the search index. */
  slot: number;
  stored: StoredSkill;
  skill: PublicSkill;
}

/**
 * The orders of live skills: those of listings, with copies in place of clicks, and one by copies.
 */
export class SkillOrders {
  readonly #ranking = new RankingOrders();
  /** By slot. */
  readonly #copies: number[] = [];
  readonly #copied = new SortedSlots((a, b) => {
    const gap = this.#copies[a]! - this.#copies[b]!;
    return gap > 0 || (gap === 0 && this.#ranking.isNewer(a, b));
  });

  /** The order of a list at a time (ms). */
  order(sort: SkillQuery["sort"], now: number): SortedSlots {
    if (sort === "copied") return this.#copied;
    if (sort === "hot") this.#ranking.rank(now);
    return this.#ranking.order(sort);
  }

  /** By time, the newest first. */
  get newest(): SortedSlots {
    return this.#ranking.order("new");
  }

  /** Compares two slots by votes, the most first. */
  readonly byVotes = (a: number, b: number): number => this.#ranking.order("top").compare(a, b);

  /** The time (ms) of the ranking that hot lists show at `now`, at most a second before. */
  rankedAt(now: number): number {
    this.#ranking.rank(now);
    return this.#ranking.rankedAt;
  }

  /**
   * Loads many skills: what `add` inserts is sorted when it has returned. `now` is the time (ms) of
   * the ranking.
   */
  async load(add: () => Promise<void>, now: number): Promise<void> {
    this.#ranking.startBulk();
    this.#copied.startBulk();
    await add();
    this.#ranking.endBulk(now);
    this.#copied.resort();
  }

  /** Takes in the skill of a slot. */
  insert({ slot, stored: { slug, createdAt }, skill: { votes, copies } }: SkillEntry): void {
    this.#ranking.insert(slot, { slug, createdAt, votes, clicks: copies });
    this.#copies[slot] = copies;
    this.#copied.insert(slot);
  }

  /** Takes out the skill of a slot. */
  remove({ slot }: SkillEntry): void {
    this.#copied.remove(slot);
    this.#ranking.remove(slot);
  }

  /** Moves a skill to where its changed counts belong. */
  count({ slot, skill: { votes, copies } }: SkillEntry): void {
    const place = this.#copied.indexOf(slot);
    this.#copies[slot] = copies;
    this.#copied.replace(place);
    this.#ranking.count(slot, { votes, clicks: copies });
  }
}
