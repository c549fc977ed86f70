import type { Deps as AiOfTheDayDeps } from "../ai_of_the_day/deps.ts";
import type { Deps as AuctionDeps } from "../auctions/deps.ts";
import type { Deps as HelpDeps } from "../help/deps.ts";
import type { Deps as ListingDeps } from "../listings/deps.ts";
import type { Deps as PollDeps } from "../poll/deps.ts";
import type { Deps as PromotionDeps } from "../promotions/deps.ts";
import type { Deps as SkillDeps } from "../skills/deps.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CatalogueSync } from "./sync.ts";
import type { Velocity } from "./velocity.ts";

/** What discovery works with. */
export interface Deps
  extends AiOfTheDayDeps, AuctionDeps, HelpDeps, ListingDeps, PollDeps, PromotionDeps, SkillDeps {
  /** The in-memory read model of live listings. */
  catalogue: Catalogue;
  /** Keeps the catalogue in step with KV. */
  sync: CatalogueSync;
  /** Votes of the last 24 hours. */
  velocity: Velocity;
}
