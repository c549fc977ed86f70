import type { Deps as GuestbookDeps } from "../guestbook/deps.ts";
import type { AiOfTheDayMemory } from "./memory.ts";

export interface Deps extends GuestbookDeps {
  /** The last AI of the Day data that was read. */
  aiOfTheDay: AiOfTheDayMemory;
}
