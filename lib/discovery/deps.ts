import type { Deps as AiOfTheDayDeps } from "../ai_of_the_day/deps.ts";
import type { Deps as AuctionDeps } from "../auctions/deps.ts";
import type { Deps as PollDeps } from "../poll/deps.ts";
import type { Snapshots } from "../read_model/snapshots.ts";
import type { Sync } from "../read_model/sync.ts";
import type { Deps as SkillDeps } from "../skills/deps.ts";
import type { Velocity } from "./velocity.ts";

export interface Deps extends AiOfTheDayDeps, AuctionDeps, PollDeps, SkillDeps {
  /** Keeps the catalogues in sync with KV. */
  sync: Sync;
  /** Saves and loads the in-memory data for a quick start. */
  snapshots: Snapshots;
  /** Votes of the last 24 hours. */
  velocity: Velocity;
}
