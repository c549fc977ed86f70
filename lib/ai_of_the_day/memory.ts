import { Recent } from "../recent.ts";
import type { AiOfTheDayView, DayResult } from "./schema.ts";
import type { Theme } from "./theme.ts";

/**
 * How old (ms) each may be. A view is made of `today` and the guestbook, each up to half a second
 * old, so that it is a second old at most.
 */
const MAX_AGE_MS = 500;

/** How old (ms) a result that is not stored may be: to make it, a whole day is read. */
const JUDGED_MAX_AGE_MS = 10_000;

/** What this process last read of the AI of the Day. */
export class AiOfTheDayMemory {
  /** The last theme that pages were shown with, and its day. */
  lastTheme: { day: string; theme: Theme | null } | undefined;
  /** The last view that was read. */
  lastView: AiOfTheDayView | undefined;
  readonly today = new Recent<AiOfTheDayView["today"]>(MAX_AGE_MS);
  readonly view = new Recent<AiOfTheDayView>(MAX_AGE_MS);
  /** The result of a day that is over and has none stored. */
  readonly judged = new Recent<DayResult>(JUDGED_MAX_AGE_MS);

  /** Makes today and the view be read again. */
  drop(): void {
    this.today.drop();
    this.view.drop();
  }
}
