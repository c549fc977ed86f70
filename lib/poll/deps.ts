import type { Core } from "../core.ts";
import type { PollBoard } from "./board.ts";

/** What the poll works with. */
export interface Deps extends Core {
  /** The counts of the poll. */
  pollBoard: PollBoard;
}
