import type { Deps as GuestbookDeps } from "../guestbook/deps.ts";
import type { AiOfTheDayMemory } from "./memory.ts";

/** Dependencies of the AI of the Day. */
export interface Deps extends GuestbookDeps {
  /** The last AI of the Day data that was read. */
  aiOfTheDay: AiOfTheDayMemory;
}
