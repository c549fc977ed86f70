import { Recent } from "../recent.ts";
import type { AiOfTheDayView } from "./schema.ts";
import type { Theme } from "./theme.ts";

/** What this process last read of the AI of the Day. */
export class AiOfTheDayMemory {
  /** The theme that pages wore last, and the day of it. */
  lastTheme: { day: string; theme: Theme | null } | undefined;
  readonly today = new Recent<AiOfTheDayView["today"]>();
  readonly view = new Recent<AiOfTheDayView>();

  /** Has both read again. */
  drop(): void {
    this.today.drop();
    this.view.drop();
  }
}
