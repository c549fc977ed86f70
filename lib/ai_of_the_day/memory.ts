import { isGuestbookChange } from "../guestbook/board.ts";
import type { Change, Store } from "../kv/store.ts";
import { LastGood } from "../last_good.ts";
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

/** Whether a change is that the operator switched the theme, or overrode it. */
function isThemeChange({ kind, slug }: Change): boolean {
  return kind === "site" && slug === "theme";
}

/** What this process last read of the AI of the Day. */
export class AiOfTheDayMemory {
  /** The last theme that pages were shown with, and its day. */
  readonly lastTheme = new LastGood<{ day: string; theme: Theme | null }>();
  /** The last view that was read. */
  lastView: AiOfTheDayView | undefined;
  readonly today = new Recent<AiOfTheDayView["today"]>(MAX_AGE_MS);
  readonly view = new Recent<AiOfTheDayView>(MAX_AGE_MS);
  /** The result of a day that is over and has none stored. */
  readonly judged = new Recent<DayResult>(JUDGED_MAX_AGE_MS);

  /**
   * Forgets what it knows when this process takes a check-in, or when the operator hides one or
   * switches the theme, in any process.
   */
  constructor(store: Pick<Store, "subscribe">) {
    store.subscribe((notice) => {
      if (notice.type === "pulse") {
        if (notice.pulse.kind === "check_in" && !notice.foreign) this.#drop();
      } else if (isGuestbookChange(notice.change) || isThemeChange(notice.change)) {
        this.#drop();
        this.lastTheme.forget();
      }
    });
  }

  #drop(): void {
    this.today.drop();
    this.view.drop();
  }
}
