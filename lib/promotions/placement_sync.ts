import { storedAuctionDates } from "../auctions/calendar.ts";
import { auctionKeys } from "../auctions/keys.ts";
import type { StoredAuction } from "../auctions/schema.ts";
import { delay } from "../clock.ts";
import type { News, Store } from "../kv/store.ts";
import type { ListingCatalogue } from "../listings/catalogue.ts";
import type { FrontRowPeriod } from "../listings/placements.ts";
import { errorFields, type Log } from "../log.ts";
import { promotionKeys } from "./keys.ts";
import { type PromotionBalance, spans } from "./time.ts";

const RETRY_MS = 1000;

/**
 * Tells the catalogue what was paid for: when each listing's tiers run, and who gets the Front Row
 * when. It reads all of it at startup, and again whenever the change log reports a purchase or a
 * won auction. The catalogue handles changes caused only by the passing of time.
 */
export class PlacementSync {
  readonly #store: Store;
  readonly #catalogue: ListingCatalogue;
  readonly #log: Log;
  #isStale = false;
  #refreshing: Promise<void> | undefined;

  constructor({ store, catalogue, log }: { store: Store; catalogue: ListingCatalogue; log: Log }) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#log = log;
    store.subscribe((news) => this.#apply(news));
  }

  /** Reads everything. */
  async load(): Promise<void> {
    const promotions = this.#store.list<PromotionBalance>({ prefix: promotionKeys.all });
    for await (const { key, value } of promotions) {
      // The first counts as already running: a clock that was set back, or is slower than that of
      // the granting process, must not hide what was paid for.
      const shown = spans(value).map((span, i) => i === 0 ? { ...span, startsAt: 0 } : span);
      this.#catalogue.setPromotion(key[1] as string, shown);
    }
    const periods: FrontRowPeriod[] = [];
    const auctions = this.#store.list<StoredAuction>({ prefix: auctionKeys.all });
    for await (const { value: { id, outcome, high } } of auctions) {
      if (outcome !== "won" || high === null) continue;
      const { startsAt, endsAt } = storedAuctionDates(id);
      periods.push({ slug: high.slug, startsAt, endsAt });
    }
    this.#catalogue.setFrontRow(periods);
  }

  /** Resolves when there is nothing left to reload. */
  async caughtUp(): Promise<void> {
    while (this.#refreshing !== undefined) await this.#refreshing;
  }

  #apply(news: News): void {
    if (news.type !== "change") return;
    const { kind, slug, event } = news.change;
    const isPromotion = kind === "listing" && event === "promoted";
    const isFrontRow = kind === "site" && slug === "front-row";
    if (!isPromotion && !isFrontRow) return;
    this.#isStale = true;
    this.#refreshing ??= this.#refresh();
  }

  async #refresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.load();
      } catch (error) {
        this.#isStale = true;
        this.#log.warn("placements_stale", errorFields(error));
        await delay(RETRY_MS);
      }
    }
    this.#refreshing = undefined;
  }
}
