import type { Deps as StatsDeps } from "../stats/deps.ts";
import type { GuestbookBoard } from "./board.ts";

/** What the guestbook works with. */
export interface Deps extends StatsDeps {
  /** Names and days of the guestbook. */
  guestbookBoard: GuestbookBoard;
}
