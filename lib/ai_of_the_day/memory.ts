import { CachedRead } from "../cache/cached_read.ts";
import { isGuestbookChange } from "../guestbook/board.ts";
import type { Change, Store } from "../kv/store.ts";
import type { AiOfTheDayView, DayResult } from "./schema.ts";

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
  readonly today = new CachedRead<AiOfTheDayView["today"]>({ maxAgeMs: MAX_AGE_MS });
  readonly view = new CachedRead<AiOfTheDayView>({ maxAgeMs: MAX_AGE_MS });
  /** The result of a day that is over and has none stored. */
  readonly judged = new CachedRead<DayResult>({ maxAgeMs: JUDGED_MAX_AGE_MS });

  /**
   * Reads again when this process takes a check-in, and forgets what it knows when the operator
   * hides one or switches the theme, in any process.
   */
  constructor(store: Pick<Store, "subscribe">) {
    store.subscribe((notice) => {
      if (notice.type === "pulse") {
        if (notice.pulse.kind !== "check_in" || notice.foreign) return;
        this.today.drop();
        this.view.drop();
      } else if (isGuestbookChange(notice.change) || isThemeChange(notice.change)) {
        this.today.forget();
        this.view.forget();
      }
    });
  }
}
