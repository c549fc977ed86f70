import type { Clock } from "../clock.ts";
import { Catalogue } from "../read_model/catalogue.ts";
import type { Kind } from "../read_model/kind.ts";
import { sortId } from "../read_model/sorts.ts";
import { escapeJsonSymbols } from "../text/escape.ts";
import type { Urls } from "../urls.ts";
import { voteKeys } from "../votes/keys.ts";
import type { StoredHealth } from "./health.ts";
import { listingKeys } from "./keys.ts";
import {
  byPlaceInStrip,
  type FeaturedCandidate,
  type FrontRowPeriod,
  placementAt,
  type PromotionSpan,
} from "./placements.ts";
import { liveOf } from "./public.ts";
import {
  addressKey,
  documentOf,
  type Field,
  FIELDS,
  type ListingRow,
  packed,
  type PackedListing,
  parsed,
  rowOf,
  SHAPE,
  toPublicListing,
  unpacked,
  valuesOf,
} from "./row.ts";
import type { ListingPayload, PublicListing, StoredGem, StoredListing } from "./schema.ts";

/** The read model of live listings, with their paid placements and gems. */
export class ListingCatalogue extends Catalogue<ListingRow, Field, PublicListing> {
  readonly #clock: Clock;
  readonly #urls: Urls;
  /** When each listing's paid tiers run, its gem, and its Front Row weeks, by slug. */
  readonly #spans = new Map<string, readonly PromotionSpan[]>();
  readonly #gems = new Map<string, StoredGem>();
  #weeks = new Map<string, FrontRowPeriod[]>();
  /** The slugs that had placements at the last update of what shows. */
  #placed: ReadonlySet<string> = new Set();
  /** The time of that update (ms; NaN after a change), and when it expires if nothing changes. */
  #placedAt = NaN;
  #placedUntil = NaN;
  #frontRow: string | null = null;
  #promotions: readonly FeaturedCandidate[] = [];
  /** Listings waiting for review, by slug, with the time (ms) they began to wait. */
  readonly pending = new Map<string, number>();

  constructor({ clock, urls }: { clock: Clock; urls: Urls }) {
    super({
      clock,
      sorts: sortId.options,
      fields: FIELDS,
      valuesOf,
      documentOf,
      keyOf: addressKey,
      toPublic: (row) => toPublicListing(row, urls),
    });
    this.#urls = urls;
    this.#clock = clock;
  }

  /** A listing's public form as JSON, with one byte per character where possible. */
  json(row: ListingRow): string {
    return `${row.content},${escapeJsonSymbols(JSON.stringify(liveOf(row, this.#urls)).slice(1))}`;
  }

  /** True if a listing was ever promoted or sponsored. */
  isPaidFor(slug: string): boolean {
    const now = this.#clock.now();
    return this.#spans.has(slug) ||
      (this.#weeks.get(slug)?.some(({ startsAt }) => startsAt <= now) ?? false);
  }

  /** The live listing on the Front Row, or null. */
  get frontRow(): PublicListing | null {
    this.refresh();
    return this.#frontRow === null ? null : this.get(this.#frontRow) ?? null;
  }

  /** The live listings promoted now, in the order of the strip. */
  get promotions(): readonly FeaturedCandidate[] {
    this.refresh();
    return this.#promotions;
  }

  /** Sets when the paid tiers of a promoted listing run. */
  setPromotion(slug: string, spans: readonly PromotionSpan[]): void {
    this.#spans.set(slug, spans);
    this.#changed();
  }

  /** Sets or drops a gem. */
  setGem(slug: string, gem: StoredGem | null): void {
    if (gem !== null) this.#gems.set(slug, gem);
    else if (!this.#gems.delete(slug)) return;
    this.#changed();
  }

  /** A listing's gem, past or present, whether or not it shows now. */
  gemOf(slug: string): StoredGem | null {
    return this.#gems.get(slug) ?? null;
  }

  /**
   * What a live listing shows now, even if this process doesn't know it yet, and until when (ms).
   * Placements must be loaded. `gem` is the gem in KV.
   */
  placementOf(slug: string, { createdAt, gem }: { createdAt: number; gem: StoredGem | null }) {
    return placementAt({
      promotions: this.#spans.get(slug) ?? [],
      weeks: this.#weeks.get(slug) ?? [],
      gem: this.isPaidFor(slug) ? null : gem,
      createdAt,
      now: this.#clock.now(),
    });
  }

  /** Sets the Front Row periods, including past ones. */
  setFrontRow(periods: readonly FrontRowPeriod[]): void {
    this.#weeks = Map.groupBy(periods, ({ slug }) => slug);
    this.#changed();
  }

  override beginLoad(): void {
    super.beginLoad();
    this.pending.clear();
  }

  override put(row: ListingRow): void {
    row.placement = this.at(row.slug)?.placement ?? null;
    super.put(row);
    if (this.#isPlaced(row.slug)) this.#placedAt = NaN;
  }

  override remove(slug: string): void {
    super.remove(slug);
    if (this.#isPlaced(slug)) this.#placedAt = NaN;
  }

  /** Brings promotions, gems and the Front Row up to date. */
  protected override refresh(): void {
    super.refresh();
    const now = this.#clock.now();
    if (now >= this.#placedAt && now < this.#placedUntil) return;
    const slugs = new Set([this.#spans, this.#gems, this.#weeks].flatMap((by) => [...by.keys()]));
    const promotions: FeaturedCandidate[] = [];
    this.#frontRow = null;
    this.#placedUntil = Infinity;
    for (const slug of slugs.union(this.#placed)) {
      const row = this.at(slug);
      if (row === undefined) continue;
      const { createdAt } = row;
      const { placement, until } = this.placementOf(slug, { createdAt, gem: this.gemOf(slug) });
      this.refile(row, () => row.placement = placement);
      if (placement.sponsored) this.#frontRow = slug;
      if (placement.promotion !== null) promotions.push({ slug, ...placement.promotion });
      this.#placedUntil = Math.min(this.#placedUntil, until);
    }
    this.#promotions = promotions.sort(byPlaceInStrip);
    this.#placed = slugs;
    this.#placedAt = now;
    this.expire();
  }

  #isPlaced(slug: string): boolean {
    return this.#spans.has(slug) || this.#gems.has(slug) || this.#weeks.has(slug);
  }

  #changed(): void {
    this.expire();
    this.#placedAt = NaN;
  }
}

/** True if what is known of a row's link still applies to its edited record. */
function isKnownHealth(row: ListingRow, { url, linkCheck }: StoredListing): boolean {
  return linkCheck !== "off" && row.health.state !== "not_checked" && parsed(row).url === url;
}

/** How listings are read from KV into a catalogue. */
export function listingKind(catalogue: ListingCatalogue): Kind<StoredListing> {
  return {
    name: "listing",
    catalogue,
    records: listingKeys.all,
    extras: [listingKeys.descriptions, listingKeys.gems, listingKeys.healths],
    votes: voteKeys.counts("listing"),
    uses: listingKeys.allClicks,
    pulses: { vote: "votes", click: "uses", link: "all" },
    partsOf(payload) {
      const { listing, description } = payload as ListingPayload;
      return { stored: listing, extras: [description] };
    },
    put({ stored, extras: [description, gem, health] }, counts) {
      const { slug, state, createdAt } = stored;
      if (state === "pending") catalogue.pending.set(slug, createdAt);
      else catalogue.pending.delete(slug);
      if (gem !== undefined) catalogue.setGem(slug, gem as StoredGem | null);
      if (state !== "live") return catalogue.remove(slug);
      counts ??= catalogue.countsOf(slug);
      const row = rowOf(stored, {
        ...counts,
        description: description as string | null,
        health: (health ?? null) as StoredHealth | null,
      });
      const before = health === undefined ? catalogue.at(slug) : undefined;
      const isKnown = before !== undefined && isKnownHealth(before, stored);
      if (isKnown) row.health = before.health;
      catalogue.put(row);
      // If the URL has changed, its health must be read, unless the owner opted out of checks.
      return before === undefined || isKnown || stored.linkCheck === "off";
    },
    shape: SHAPE,
    pack: () => [
      ...Array.from(catalogue.pending, (waiting) => () => waiting),
      ...catalogue.rows().map((row) => () => packed(row, catalogue.gemOf(row.slug))),
    ],
    unpack(entries) {
      for (const entry of entries as (PackedListing | [slug: string, since: number])[]) {
        if (Array.isArray(entry)) catalogue.pending.set(...entry);
        else {
          catalogue.setGem(entry.row.slug, entry.gem);
          catalogue.put(unpacked(entry));
        }
      }
    },
  };
}
