import { delay } from "../clock.ts";
import { counterValue, type Notice, pairValue, type Store } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import { toPublicListing } from "../listings/public.ts";
import type { StoredGem, StoredListing } from "../listings/schema.ts";
import type { ListingPayload } from "../listings/service.ts";
import { errorFields, type Log } from "../log.ts";
import type { Urls } from "../urls.ts";
import { voteKeys } from "../votes/keys.ts";
import type { Catalogue } from "./catalogue.ts";
import { joinBySlug } from "./join.ts";

/** How many listings' parts are read at once. */
const BATCH = 50;
/** How many entries a start reads at once: nobody waits yet, and a KV server is asked less often. */
const LOAD_BATCH = 500;
const RETRY_MS = 1000;

/**
 * Keeps the catalogue in step with KV. It loads the catalogue, applies the commits of this process
 * as they happen, and reads again what other processes changed. Reading is idempotent, so the order
 * of the logs does not matter.
 */
export class CatalogueSync {
  readonly #store: Store;
  readonly #urls: Urls;
  readonly #catalogue: Catalogue;
  readonly #log: Log;
  /**
   * Listings that wait for the operator's review, by slug, with the time (ms) since which they
   * wait.
   */
  readonly pending = new Map<string, number>();
  /** Slugs whose listing must be read again, and slugs of which only the counts must. */
  readonly #staleListings = new Set<string>();
  readonly #staleCounts = new Set<string>();
  /** Slugs that are being read. If one of them changes meanwhile, it must be read once more. */
  #reading = new Set<string>();
  #refreshing: Promise<void> | undefined;

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

  /** Reads all live listings. This process must not commit anything until it has ended. */
  async load(): Promise<void> {
    const list = (prefix: Deno.KvKey) =>
      this.#store.listBatches({ prefix }, { batchSize: LOAD_BATCH });
    const others = {
      description: list(listingKeys.descriptions),
      clicks: list(listingKeys.allClicks),
      votes: list(voteKeys.counts("listing")),
    };
    this.#catalogue.startLoad();
    await joinBySlug(list(listingKeys.all), others, ({ main, description, clicks, votes }) => {
      const listing = main.value as StoredListing;
      this.#note(listing);
      if (listing.state !== "live") return;
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
  }

  /** Resolves when nothing is left to be read again. */
  async settled(): Promise<void> {
    while (this.#refreshing !== undefined) await this.#refreshing;
  }

  #apply(notice: Notice): void {
    if (notice.type === "change") {
      const { kind, slug } = notice.change;
      if (kind !== "listing") return;
      const payload = notice.payload as ListingPayload | undefined;
      const isSure = payload !== undefined && !notice.foreign && !this.#reading.has(slug);
      if (!isSure) this.#again(this.#staleListings, slug);
      // A listing that is not here may have been hidden since.
      if (payload === undefined || (notice.foreign && !this.#catalogue.has(slug))) return;
      // Approved or shown again: its counts may have moved while nobody followed them.
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
    const shown = toPublicListing(listing, { description, ...counts }, this.#urls);
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

  /** Reads again whatever is stale, until nothing is. While KV fails it goes on trying. */
  async #refresh(): Promise<void> {
    // The notices of one poll come one after another; this lets them gather.
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
        await delay(RETRY_MS);
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
    }
    // The counts of a listing that was not live were not followed.
    await this.#readCounts(slugs);
  }

  async #readCounts(slugs: string[]): Promise<void> {
    const rows = await this.#readRows(slugs, (slug) => [
      voteKeys.count("listing", slug, "up"),
      voteKeys.count("listing", slug, "down"),
      listingKeys.clicks(slug),
    ]);
    for (const [slug, [up, down, clicks]] of rows) {
      this.#catalogue.setCounts(slug, {
        votes: pairValue(up!, down!),
        clicks: counterValue(clicks!),
      });
    }
  }

  /** Reads the keys of each slug. */
  async #readRows(
    slugs: string[],
    keysOf: (slug: string) => Deno.KvKey[],
  ): Promise<[string, Deno.KvEntryMaybe<unknown>[]][]> {
    const keys = slugs.map(keysOf);
    // Between commits, because a commit that has landed but was not heard of yet would be counted
    // twice: once here, and once when it is heard of.
    const entries = await this.#store.betweenCommits(() =>
      this.#store.getMany<unknown>(keys.flat())
    );
    let at = 0;
    return slugs.map((slug, i) => [slug, entries.slice(at, at += keys[i]!.length)]);
  }
}

/** Removes up to one batch from a set, and returns it. */
function take(set: Set<string>): string[] {
  const taken = [...set].slice(0, BATCH);
  for (const slug of taken) set.delete(slug);
  return taken;
}
