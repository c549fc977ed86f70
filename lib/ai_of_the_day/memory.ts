import { CachedRead } from "../cache/cached_read.ts";
import { isGuestbookChange } from "../guestbook/board.ts";
import type { Change, Store } from "../kv/store.ts";
import type { AiOfTheDayView, DayResult } from "./schema.ts";

/**
 * How old (ms) each part may be. A view is built from `today` and the guestbook, each up to half a
 * second old, so it is at most a second old.
 */
const MAX_AGE_MS = 500;

/** How old (ms) a result that isn't stored may be: computing it reads a whole day. */
const JUDGED_MAX_AGE_MS = 10_000;

/** True if a change is the operator switching or overriding the theme. */
function isThemeChange({ kind, slug }: Change): boolean {
  return kind === "site" && slug === "theme";
}

/** The last AI of the Day data this process read. */
export class AiOfTheDayMemory {
  readonly today = new CachedRead<AiOfTheDayView["today"]>({ maxAgeMs: MAX_AGE_MS });
  readonly view = new CachedRead<AiOfTheDayView>({ maxAgeMs: MAX_AGE_MS });
  /** The result of a past day that has none stored. */
  readonly judged = new CachedRead<DayResult>({ maxAgeMs: JUDGED_MAX_AGE_MS });

  /**
   * Reloads when this process takes a check-in. Clears when the operator hides one or switches the
   * theme, in any process.
   */
  constructor(store: Pick<Store, "subscribe">) {
    store.subscribe((news) => {
      if (news.type === "pulse") {
        if (news.pulse.kind !== "check_in" || news.foreign) return;
        this.today.drop();
        this.view.drop();
      } else if (isGuestbookChange(news.change) || isThemeChange(news.change)) {
        this.today.forget();
        this.view.forget();
      }
    });
  }
}
