import { Recent } from "../recent.ts";
import type { AiOfTheDayView } from "./schema.ts";
import type { Theme } from "./theme.ts";

/** How old (ms) each may be: a view is made of today and the guestbook as they were kept, a second old at most. */
const MAX_AGE_MS = 500;

/** What this process last read of the AI of the Day. */
export class AiOfTheDayMemory {
  /** The theme that pages wore last, and the day of it. */
  lastTheme: { day: string; theme: Theme | null } | undefined;
  readonly today = new Recent<AiOfTheDayView["today"]>(MAX_AGE_MS);
  readonly view = new Recent<AiOfTheDayView>(MAX_AGE_MS);

  /** Has both read again. */
  drop(): void {
    this.today.drop();
    this.view.drop();
  }
}
