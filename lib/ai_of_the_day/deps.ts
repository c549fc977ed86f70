import type { Deps as GuestbookDeps } from "../guestbook/deps.ts";
import type { AiOfTheDayMemory } from "./memory.ts";

/** What the AI of the Day works with. */
export interface Deps extends GuestbookDeps {
  /** What was last read of the AI of the Day. */
  aiOfTheDay: AiOfTheDayMemory;
}
