import { z } from "zod";
import type { EntryKind } from "../entries/entries.ts";
import { plural } from "../text/count.ts";
import { VoteBody } from "../votes/schema.ts";
import { setVote } from "../votes/service.ts";
import { params } from "./params.ts";
import { defineTool, SETS } from "./tool.ts";

/** The tool that upvotes entries of a kind. Its response is the body of the API's vote operations. */
export function voteTool(kind: EntryKind) {
  const noun = kind === "listing" ? "project" : "skill";
  return defineTool({
    name: `vote_${noun}`,
    title: `Upvote a ${noun}`,
    description: "One vote per voter. Voting again changes nothing.",
    annotations: SETS,
    input: z.strictObject({ slug: params[`${noun}Slug`] }),
    output: z.object(VoteBody.shape).omit({ ok: true }),
    async run({ deps, caller }, { slug }) {
      const vote = await setVote(deps, { kind, slug, caller, voted: true });
      const said = vote.changed ? "Voted for" : "You already voted for";
      return { data: { ...vote }, text: `${said} ${slug}: ${plural(vote.votes, "vote")}.` };
    },
  });
}
