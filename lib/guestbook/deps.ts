import type { Deps as StatsDeps } from "../stats/deps.ts";
import type { GuestbookBoard } from "./board.ts";

export interface Deps extends StatsDeps {
  /** The guestbook's names and days. */
  guestbookBoard: GuestbookBoard;
}
