import type { Core } from "../core.ts";
import type { PollBoard } from "./board.ts";

export interface Deps extends Core {
  /** The poll's counts. */
  pollBoard: PollBoard;
}
