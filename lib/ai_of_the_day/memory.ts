import { Recent } from "../recent.ts";
import type { AiOfTheDayView } from "./schema.ts";

/** What this process last read of the AI of the Day. */
export class AiOfTheDayMemory {
  readonly today = new Recent<AiOfTheDayView["today"]>();
  readonly view = new Recent<AiOfTheDayView>();

  /** Has both read again. */
  drop(): void {
    this.today.drop();
    this.view.drop();
  }
}
