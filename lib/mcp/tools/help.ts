import { z } from "zod";
import { helpAudience, HelpBody, helpText } from "../../help/schema.ts";
import { getHelp } from "../../help/service.ts";
import { LIMITS } from "../../limits.ts";
import { plural } from "../../text/count.ts";
import { entriesThatFit, jsonTokens } from "../budget.ts";
import { limitTo } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

export const help = defineTool({
  name: "help",
  title: "Help",
  description: "Questions and answers about the service, including every error code.",
  annotations: READS,
  input: z.strictObject({
    query: helpText.describe("Words to search for"),
    audience: helpAudience.optional().describe("Who the answers are for"),
    limit: limitTo(LIMITS.helpPageMax),
  }),
  output: HelpBody.pick({ query: true, count: true, entries: true, links: true }),
  async run({ deps }, { query: q, audience, limit }) {
    const { query, entries, links } = await getHelp(deps, { q, audience });
    const shown = entriesThatFit(entries.slice(0, limit), (entry) => 2 * jsonTokens(entry));
    return {
      data: { query, count: shown.length, entries: shown, links },
      text: [
        entries.length === 0
          ? `No matches. Try fewer words. All answers: ${links.markdown}`
          : `${shown.length} of ${
            plural(entries.length, "answer")
          }. All answers: ${links.markdown}`,
        ...shown.map((entry) => `## ${entry.q}\n${entry.a}`),
      ].join("\n\n"),
    };
  },
});
