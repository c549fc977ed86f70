import { z } from "zod";
import { plural } from "../text/count.ts";
import type { VoteState } from "../votes/service.ts";

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
