import { delay } from "../clock.ts";
import { Matches } from "../discovery/matches.ts";
import { Postings } from "../discovery/postings.ts";
import { SearchIndex } from "../discovery/search_index.ts";
import { type ListPage, nextOffset } from "../http/paging.ts";
import { counterValue, type Notice, type Store } from "../kv/store.ts";
import { errorFields, type Log } from "../log.ts";
import type { Urls } from "../urls.ts";
import { voteKeys } from "../votes/keys.ts";
import { skillKeys } from "./keys.ts";
import { type SkillEntry, SkillOrders } from "./orders.ts";
import { NO_COUNTS, type SkillCounts, toPublicSkill } from "./public.ts";
import type { PublicSkill, SkillQuery, StoredSkill } from "./schema.ts";
import { readSkill, type SkillRecord } from "./store.ts";

const RETRY_MS = 1_000;
/** The fields of a skill that lists are filtered by. */
const FIELDS = ["kind", "worksWith", "category", "tag"] as const;

/**
 * The in-memory read model of live skills, from which lists, search and counts are answered. It
 * sees the commits of this process at once, and reads again what other processes changed.
 */
export class SkillCatalogue {
  readonly #entries = new Map<string, SkillEntry>();
  readonly #slots: (SkillEntry | undefined)[] = [];
  readonly #search = new SearchIndex(
    (slot) => searchDocument(this.#slots[slot]!.stored),
    () => this.#changed(),
  );
  readonly #orders = new SkillOrders();
  readonly #postings = new Postings(FIELDS, filedUnder);
  readonly #matches = new Matches({ postings: this.#postings, search: this.#search, flags: {} });
  /** Slugs that must be read from KV again, and slugs that are being read. */
  readonly #stale = new Set<string>();
  readonly #reading = new Set<string>();
  readonly #store: Store;
  readonly #urls: Urls;
  readonly #log: Log;
  #refreshing: Promise<void> | undefined;
  #revision = 0;

  constructor({ store, urls, log }: { store: Store; urls: Urls; log: Log }) {
    this.#store = store;
    this.#urls = urls;
    this.#log = log;
    store.subscribe((notice) => this.#apply(notice));
  }

  /** Reads all live skills from KV. */
  async load(): Promise<void> {
    const votes = new Map<string, number>();
    for await (const entry of this.#store.list({ prefix: voteKeys.counts("skill") })) {
      const [, slug, way] = entry.key as [string, string, "up" | "down"];
      votes.set(slug, (votes.get(slug) ?? 0) + (way === "up" ? 1 : -1) * counterValue(entry));
    }
    const copies = new Map<string, number>();
    for await (const entry of this.#store.list({ prefix: skillKeys.allCopies })) {
      copies.set(entry.key[1] as string, counterValue(entry));
    }
    await this.#orders.load(async () => {
      for await (const { value } of this.#store.list<StoredSkill>({ prefix: skillKeys.all })) {
        const { slug } = value;
        this.#put(value, { votes: votes.get(slug) ?? 0, copies: copies.get(slug) ?? 0 });
      }
    }, this.#store.clock.now());
  }

  /** Rises with every visible change. Cached answers depend on it. */
  get revision(): number {
    return this.#revision;
  }

  /** Rises when a skill is shared, edited, hidden or shown again, but not with votes and copies. */
  get setsRevision(): number {
    return this.#matches.revision;
  }

  /** The time (ms) of the ranking that hot lists show now, at most a second ago. */
  get rankedAt(): number {
    return this.#orders.rankedAt(this.#store.clock.now());
  }

  /** How many live skills there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether this process knows a live skill by its slug. */
  has(slug: string): boolean {
    return this.#entries.has(slug);
  }

  /** A live skill, or undefined where this process does not know it. */
  get(slug: string): PublicSkill | undefined {
    return this.#entries.get(slug)?.skill;
  }

  /** A page of live skills at a time (ms). */
  list(query: SkillQuery, now: number): ListPage<PublicSkill> {
    const { limit, offset } = query;
    const { slots, total } = this.#matches.page(query, this.#orders.order(query.sort, now));
    return {
      items: slots.map((slot) => this.#slots[slot]!.skill),
      total,
      limit,
      offset,
      nextOffset: nextOffset(total, limit, offset),
    };
  }

  /** The skills that have some words of a search that finds nothing, at most `limit`, the best first. */
  nearest(q: string, limit: number): PublicSkill[] {
    return this.#search.nearest(q, limit).map((slot) => this.#slots[slot]!.skill);
  }

  /**
   * The hottest skills at a time (ms) of a kind or with a tag or category. No list is kept for
   * further pages.
   */
  hottest(query: Omit<SkillQuery, "sort" | "offset">, now: number): PublicSkill[] {
    return this.#matches.first(query, this.#orders.order("hot", now))
      .map((slot) => this.#slots[slot]!.skill);
  }

  /**
   * The `limit` skills with the most votes among those shared at a time (ms) or later. Older ones
   * are not even looked at.
   */
  topSince(since: number, limit: number): PublicSkill[] {
    const newest = this.#orders.newest;
    const slots: number[] = [];
    for (let i = 0; i < newest.length; i++) {
      const slot = newest.at(i);
      if (this.#slots[slot]!.stored.createdAt < since) break;
      slots.push(slot);
    }
    return slots.sort(this.#orders.byVotes).slice(0, limit).map((slot) => this.#slots[slot]!.skill);
  }

  /** The records of all live skills that install as SKILL.md, by slug. */
  skillFiles(): StoredSkill[] {
    return [...this.#entries.values()].map(({ stored }) => stored)
      .filter(({ kind }) => kind === "skill-md")
      .sort((a, b) => a.slug < b.slug ? -1 : 1);
  }

  /** How many skills' texts wait to be indexed. A search indexes them first. */
  get unindexed(): number {
    return this.#search.pending;
  }

  /** Indexes the texts for search, in slices between other work. */
  indexText(): Promise<void> {
    return this.#search.indexPending();
  }

  /** Resolves when nothing is left to be read again. */
  async settled(): Promise<void> {
    while (this.#refreshing !== undefined) await this.#refreshing;
  }

  /** Frees the search index. */
  close(): void {
    this.#search.close();
  }

  #changed(): void {
    this.#revision++;
    this.#matches.expire();
  }

  #apply(notice: Notice): void {
    if (notice.type === "pulse") {
      const { kind, slug, delta } = notice.pulse;
      if (kind !== "skill_vote" && kind !== "skill_copy") return;
      const entry = this.#entries.get(slug);
      if (notice.foreign || this.#reading.has(slug)) this.#readAgain(slug);
      if (notice.foreign || entry === undefined) return;
      const count = kind === "skill_vote" ? "votes" : "copies";
      // A vote may be taken back before the count that it is part of was read.
      this.#count(entry, { [count]: Math.max(0, entry.skill[count] + delta) });
    } else if (notice.change.kind === "skill") {
      const { slug, event } = notice.change;
      const stored = notice.payload as StoredSkill | undefined;
      const known = this.#entries.get(slug)?.skill;
      const isNew = event === "created" && !notice.foreign;
      const counts = known ?? (isNew ? NO_COUNTS : undefined);
      const isSure = stored && counts && !notice.foreign && !this.#reading.has(slug);
      if (!isSure) this.#readAgain(slug);
      if (stored && (counts || stored.state !== "live")) this.#put(stored, counts ?? NO_COUNTS);
    }
  }

  #put(stored: StoredSkill, counts: SkillCounts): void {
    const { slug } = stored;
    const known = this.#entries.get(slug);
    this.#changed();
    if (known !== undefined) this.#postings.remove(known.slot, known.stored);
    if (stored.state !== "live") {
      if (known === undefined) return;
      this.#entries.delete(slug);
      this.#orders.remove(known);
      this.#search.remove(known.slot);
      this.#slots[known.slot] = undefined;
      return;
    }
    if (known !== undefined) this.#orders.remove(known);
    const slot = known?.slot ?? this.#slots.length;
    const entry = { slot, stored, skill: toPublicSkill(stored, counts, this.#urls) };
    this.#entries.set(slug, entry);
    this.#slots[slot] = entry;
    this.#postings.add(slot, stored);
    this.#orders.insert(entry);
    this.#search.add(slot);
  }

  #count(entry: SkillEntry, counts: Partial<SkillCounts>): void {
    Object.assign(entry.skill, counts);
    this.#orders.count(entry);
    this.#revision++;
  }

  /** Takes in a record that was read again. If only its counts differ, only those are changed. */
  #renew({ stored, counts }: SkillRecord): void {
    const known = this.#entries.get(stored.slug);
    const isSame = JSON.stringify(known?.stored) === JSON.stringify(stored);
    if (known !== undefined && isSame) this.#count(known, counts);
    else this.#put(stored, counts);
  }

  #readAgain(slug: string): void {
    this.#stale.add(slug);
    this.#refreshing ??= this.#refresh();
  }

  /** Reads again whatever is stale, until nothing is. While KV fails it goes on trying. */
  async #refresh(): Promise<void> {
    for (const slug of this.#stale) {
      this.#stale.delete(slug);
      this.#reading.add(slug);
      try {
        // Between commits, because a commit that has landed but was not heard of yet would be
        // counted twice: once here, and once when it is heard of.
        const read = await this.#store.betweenCommits(() => readSkill(this.#store, slug));
        if (read !== null && !this.#stale.has(slug)) this.#renew(read);
      } catch (error) {
        this.#stale.add(slug);
        this.#log.warn("skills_stale", { slug, ...errorFields(error) });
        await delay(RETRY_MS);
      } finally {
        this.#reading.delete(slug);
      }
    }
    this.#refreshing = undefined;
  }
}

function searchDocument(stored: StoredSkill) {
  const { title, tags, kind, category, worksWith, author, summary } = stored;
  return {
    name: title,
    labels: [...tags, kind, category, ...worksWith, author].filter(Boolean).join(" "),
    tagline: summary,
    description: "",
  };
}

function* filedUnder(skill: StoredSkill): Generator<[(typeof FIELDS)[number], string]> {
  yield ["kind", skill.kind];
  if (skill.category !== null) yield ["category", skill.category];
  for (const tool of skill.worksWith) yield ["worksWith", tool];
  for (const tag of skill.tags) yield ["tag", tag];
}
