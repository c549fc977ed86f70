import { z } from "zod";
import type { VoteState } from "../votes/service.ts";
import { plural } from "../text/count.ts";

/** The answer of a vote tool: the body of the API's vote operations. */
export const voteOutput = z.object({
  ok: z.literal(true),
  slug: z.string(),
  voted: z.boolean(),
  votes: z.int(),
  changed: z.boolean(),
});

/** The same as a sentence. */
export function voteText({ slug, votes, changed }: VoteState): string {
  return `${changed ? "Voted for" : "Had voted before for"} ${slug}: ${plural(votes, "vote")}.`;
}
