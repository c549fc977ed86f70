import { HOUR_MS } from "../clock.ts";
import type { ListPage } from "../http/respond.ts";
import { nextOffset } from "../http/respond.ts";
import { counterValue, type Notice, type Store } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import { NO_EXTRAS, toPublicListing } from "../listings/public.ts";
import type { PublicListing, StoredListing } from "../listings/schema.ts";
import type { ListingPayload } from "../listings/service.ts";
import type { Urls } from "../urls.ts";
import { voteKeys } from "../votes/keys.ts";
import type { ListingQuery } from "./query.ts";

/** The in-memory read model of live listings: what lists and single reads are answered from. */
export class Catalogue {
  readonly #listings = new Map<string, PublicListing>();
  readonly #store: Store;
  readonly #urls: Urls;

  constructor({ store, urls }: { store: Store; urls: Urls }) {
    this.#store = store;
    this.#urls = urls;
    store.subscribe((notice) => this.#apply(notice));
  }

  /** Reads all live listings from KV. */
  async load(): Promise<void> {
    for await (const { value } of this.#store.list<StoredListing>({ prefix: listingKeys.all })) {
      const { slug } = value;
      const [description, clicks, up, down] = await this.#store.getMany<unknown>([
        listingKeys.description(slug),
        listingKeys.clicks(slug),
        voteKeys.count("listing", slug, "up"),
        voteKeys.count("listing", slug, "down"),
      ]);
      this.#put(value, description!.value as string | null);
      this.#add(slug, "votes", counterValue(up!) - counterValue(down!));
      this.#add(slug, "clicks", counterValue(clicks!));
    }
  }

  /** A live listing, or undefined where this process does not know it. */
  get(slug: string): PublicListing | undefined {
    return this.#listings.get(slug);
  }

  /** A page of live listings at a time (ms). */
  list(query: ListingQuery, now: number): ListPage<PublicListing> {
    const { sort, category, tool, pricing, tag, q, promoted, gems, limit, offset } = query;
    const score = (l: PublicListing) =>
      sort === "new" ? 0 : sort === "top" ? l.votes : (l.votes + l.clicks * 0.1 + 1) /
        Math.pow((now - Date.parse(l.createdAt)) / HOUR_MS + 2, 1.5);
    const found = [...this.#listings.values()].filter((l) =>
      (category === undefined || l.category === category) &&
      (tool === undefined || l.builtWith.includes(tool)) &&
      (pricing === undefined || l.pricing === pricing) &&
      (tag === undefined || l.tags.includes(tag)) &&
      (promoted === undefined || l.promoted) &&
      (gems === undefined || l.gem !== null) &&
      (q === undefined ||
        `${l.name} ${l.tagline} ${l.tags}`.toLowerCase().includes(q.trim().toLowerCase()))
    ).sort((a, b) =>
      score(b) - score(a) || Date.parse(b.createdAt) - Date.parse(a.createdAt) ||
      (a.slug < b.slug ? -1 : 1)
    );
    const total = found.length;
    return {
      items: found.slice(offset, offset + limit),
      total,
      limit,
      offset,
      nextOffset: nextOffset(total, limit, offset),
    };
  }

  #apply(notice: Notice): void {
    if (notice.type === "pulse") {
      const { kind, slug, delta } = notice.pulse;
      if (kind === "vote") this.#add(slug, "votes", delta);
      if (kind === "click") this.#add(slug, "clicks", delta);
    } else if (notice.change.kind === "listing" && notice.payload !== undefined) {
      const { listing, description } = notice.payload as ListingPayload;
      this.#put(listing, description);
    }
  }

  #put(stored: StoredListing, description: string | null): void {
    if (stored.state !== "live") {
      this.#listings.delete(stored.slug);
      return;
    }
    const { votes = 0, clicks = 0 } = this.#listings.get(stored.slug) ?? {};
    const extras = { ...NO_EXTRAS, description, votes, clicks };
    this.#listings.set(stored.slug, toPublicListing(stored, extras, this.#urls));
  }

  #add(slug: string, counter: "votes" | "clicks", delta: number): void {
    const listing = this.#listings.get(slug);
    if (listing) listing[counter] += delta;
  }
}
