import { z } from "zod";
import { plural } from "../text/count.ts";
import { VoteBody, type VoteState } from "../votes/schema.ts";

/** A vote tool's response: the body of the API's vote operations. */
export const voteOutput = z.object(VoteBody.shape).omit({ ok: true });

/** The same as a sentence. */
export function voteText({ slug, votes, changed }: VoteState): string {
  return `${changed ? "Voted for" : "You already voted for"} ${slug}: ${plural(votes, "vote")}.`;
}
