import { counterValue, type Notice, type Store } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import { NO_EXTRAS, toPublicListing } from "../listings/public.ts";
import type { StoredGem, StoredListing } from "../listings/schema.ts";
import type { ListingPayload } from "../listings/service.ts";
import { errorFields, type Log } from "../log.ts";
import type { Urls } from "../urls.ts";
import { voteKeys } from "../votes/keys.ts";
import type { Catalogue } from "./catalogue.ts";
import { joinBySlug } from "./join.ts";

/** Listings whose parts are read in one go. */
const BATCH = 50;
const RETRY_MS = 1000;

/**
 * Keeps the catalogue in step with KV: loads it, applies this process's commits as they happen, and reads
 * again what other processes changed. Reading is idempotent, so nothing depends on the order of the logs.
 */
export class CatalogueSync {
  readonly #store: Store;
  readonly #urls: Urls;
  readonly #catalogue: Catalogue;
  readonly #log: Log;
  /** Listings that wait for the operator's review: slug, and since when (ms). */
  readonly pending = new Map<string, number>();
  /** Slugs whose listing, and whose counts alone, are to be read again. */
  readonly #staleListings = new Set<string>();
  readonly #staleCounts = new Set<string>();
  /** Slugs that are being read: what happens to them meanwhile asks for another reading. */
  #reading = new Set<string>();
  #refreshing: Promise<void> | undefined;
  /** The term (`Store.term`) in which all counts were read, and those slugs whose counts were read in another. */
  #loadedIn: number | null = null;
  readonly #countedIn = new Map<string, number>();
  /** The versionstamps of the records of live listings, as they were read. */
  readonly #versionstamps = new Map<string, string>();

  constructor(
    { store, urls, catalogue, log }: {
      store: Store;
      urls: Urls;
      catalogue: Catalogue;
      log: Log;
    },
  ) {
    this.#store = store;
    this.#urls = urls;
    this.#catalogue = catalogue;
    this.#log = log;
    store.subscribe((notice) => this.#apply(notice));
  }

  /** Reads all live listings. Commits of this process must wait until it has ended. */
  async load(): Promise<void> {
    const list = (prefix: Deno.KvKey) => this.#store.listBatches({ prefix });
    const others = {
      description: list(listingKeys.descriptions),
      clicks: list(listingKeys.allClicks),
      votes: list(voteKeys.counts("listing")),
    };
    await this.#store.foreignRevision();
    const { term } = this.#store;
    this.#catalogue.startLoad();
    await joinBySlug(list(listingKeys.all), others, ({ main, description, clicks, votes }) => {
      const listing = main.value as StoredListing;
      this.#note(listing);
      if (listing.state !== "live") return;
      this.#versionstamps.set(listing.slug, main.versionstamp);
      this.#put(listing, description[0]?.value as string ?? null, {
        votes: votes.reduce(
          (sum, entry) => sum + (entry.key[2] === "up" ? 1 : -1) * counterValue(entry),
          0,
        ),
        clicks: clicks[0] === undefined ? 0 : counterValue(clicks[0]),
      });
    });
    for await (const { key, value } of this.#store.list<StoredGem>({ prefix: listingKeys.gems })) {
      this.#catalogue.setGem(key[1] as string, value);
    }
    this.#catalogue.endLoad();
    this.#loadedIn = term;
  }

  /**
   * A listing's votes once a transaction has landed in a term: what the catalogue has, where it was read in that
   * term and followed since. Otherwise null, and it is read for the next time.
   */
  votesIn(term: number, slug: string): number | null {
    const isStale = this.#reading.has(slug) || this.#staleCounts.has(slug) ||
      this.#staleListings.has(slug);
    if (isStale || !this.#catalogue.has(slug)) return null;
    if (term === this.#loadedIn || term === this.#countedIn.get(slug)) {
      return this.#catalogue.votes(slug);
    }
    this.#again(this.#staleCounts, slug);
    return null;
  }

  /** The versionstamp that a listing's record had when it was read live, for `Tx.recall`; undefined where unknown. */
  liveVersionstamp(slug: string): string | undefined {
    return this.#versionstamps.get(slug);
  }

  /** Resolves when nothing is left to be read again. */
  async settled(): Promise<void> {
    while (this.#refreshing !== undefined) await this.#refreshing;
  }

  #apply(notice: Notice): void {
    if (notice.type === "change") {
      const { kind, slug } = notice.change;
      if (kind !== "listing") return;
      this.#versionstamps.delete(slug);
      const payload = notice.payload as ListingPayload | undefined;
      const isSure = payload !== undefined && !notice.foreign && !this.#reading.has(slug);
      if (!isSure) this.#again(this.#staleListings, slug);
      // What is not here may have been hidden since.
      if (payload === undefined || (notice.foreign && !this.#catalogue.has(slug))) return;
      // Approved or shown again: its counts went on while it was not here.
      const returns = payload.listing.state === "live" && !this.#catalogue.has(slug) &&
        notice.change.event !== "created";
      if (returns) this.#again(this.#staleCounts, slug);
      this.#put(payload.listing, payload.description);
    } else {
      const { kind, slug, delta } = notice.pulse;
      if (kind !== "vote" && kind !== "click") return;
      if (notice.foreign || this.#reading.has(slug)) this.#again(this.#staleCounts, slug);
      if (notice.foreign) return;
      if (kind === "vote") this.#catalogue.addVotes(slug, delta);
      else this.#catalogue.addClicks(slug, delta);
    }
  }

  #put(
    listing: StoredListing,
    description: string | null,
    counts: { votes?: number; clicks?: number } = {},
  ): void {
    this.#note(listing);
    if (listing.state !== "live") return this.#catalogue.remove(listing.slug);
    const shown = toPublicListing(listing, { ...NO_EXTRAS, description, ...counts }, this.#urls);
    this.#catalogue.upsert({ listing, record: JSON.stringify(shown), ...counts });
  }

  #note({ slug, state, createdAt }: StoredListing): void {
    if (state === "pending") this.pending.set(slug, createdAt);
    else this.pending.delete(slug);
  }

  #again(stale: Set<string>, slug: string): void {
    stale.add(slug);
    this.#refreshing ??= this.#refresh();
  }

  /** Reads again whatever is stale until nothing is; waits for a KV that fails. */
  async #refresh(): Promise<void> {
    // The notices of one poll come one after another: let them gather.
    await Promise.resolve();
    while (this.#staleListings.size + this.#staleCounts.size > 0) {
      const listings = take(this.#staleListings);
      const counts = take(this.#staleCounts);
      this.#reading = new Set([...listings, ...counts]);
      try {
        await this.#readListings(listings);
        await this.#readCounts(counts);
      } catch (error) {
        for (const slug of listings) this.#staleListings.add(slug);
        for (const slug of counts) this.#staleCounts.add(slug);
        this.#log.warn("catalogue_stale", { listings: this.#reading.size, ...errorFields(error) });
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.#reading = new Set();
    this.#refreshing = undefined;
  }

  async #readListings(slugs: string[]): Promise<void> {
    const rows = await this.#readRows(slugs, (slug) => [
      listingKeys.one(slug),
      listingKeys.description(slug),
      listingKeys.gem(slug),
    ]);
    for (const [slug, [record, description, gem]] of rows) {
      const listing = record!.value as StoredListing | null;
      this.#catalogue.setGem(slug, gem!.value as StoredGem | null);
      if (listing === null) this.#catalogue.remove(slug);
      else this.#put(listing, description!.value as string | null);
      if (listing?.state === "live") this.#versionstamps.set(slug, record!.versionstamp!);
    }
    // A listing that was not live has counts that nobody followed.
    await this.#readCounts(slugs);
  }

  async #readCounts(slugs: string[]): Promise<void> {
    const rows = await this.#readRows(slugs, (slug) => [
      voteKeys.count("listing", slug, "up"),
      voteKeys.count("listing", slug, "down"),
      listingKeys.clicks(slug),
    ]);
    for (const [slug, [up, down, clicks], term] of rows) {
      if (term !== null) this.#countedIn.set(slug, term);
      this.#catalogue.setCounts(slug, {
        votes: counterValue(up!) - counterValue(down!),
        clicks: counterValue(clicks!),
      });
    }
  }

  /** Reads the same keys of each slug; tells the term too. */
  async #readRows(
    slugs: string[],
    keysOf: (slug: string) => Deno.KvKey[],
  ): Promise<[string, Deno.KvEntryMaybe<unknown>[], number | null][]> {
    const keys = slugs.map(keysOf);
    // A commit that has landed but not been heard of would be counted twice: here, and when it is heard of.
    const [term, entries] = await this.#store.betweenCommits(async () => {
      const { term } = this.#store;
      return [term, await this.#store.getMany<unknown>(keys.flat())] as const;
    });
    let at = 0;
    return slugs.map((slug, i) => [slug, entries.slice(at, at += keys[i]!.length), term]);
  }
}

/** Takes up to a batch out of a set. */
function take(set: Set<string>): string[] {
  const taken = [...set].slice(0, BATCH);
  for (const slug of taken) set.delete(slug);
  return taken;
}
