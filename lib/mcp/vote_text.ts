import { z } from "zod";
import type { VoteState } from "../votes/service.ts";

/** What a vote tool answers: the body of the API's vote operations. */
export const voteOutput = z.object({
  ok: z.literal(true),
  slug: z.string(),
  voted: z.boolean(),
  votes: z.int(),
  changed: z.boolean(),
});

/** The same in words. */
export function voteText({ slug, votes, changed }: VoteState): string {
  return `${changed ? "Voted for" : "Had voted before for"} ${slug}: ${votes} votes.`;
}
