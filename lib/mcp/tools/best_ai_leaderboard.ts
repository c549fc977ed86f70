import { z } from "zod";
import { pollGroup, pollWindow, type Standing } from "../../poll/schema.ts";
import { getPoll } from "../../poll/service.ts";
import { boldMarkdown } from "../../text/escape.ts";
import { params } from "../params.ts";
import { defineTool, READS } from "../tool.ts";
import { plural } from "../../text/count.ts";

const Row = z.object({
  id: z.string(),
  name: z.string(),
  maker: z.string().nullable(),
  votes: z.int(),
  share: z.number(),
});

/** The tool `best_ai_leaderboard`; what it does is its description. */
export const bestAiLeaderboard = defineTool({
  name: "best_ai_leaderboard",
  title: "Best-AI standings",
  description: "Standings of the daily poll. vote_best_ai votes.",
  annotations: READS,
  input: z.strictObject({
    window: pollWindow.default("today").describe("UTC days that end today"),
    group: pollGroup.default("all").describe("Whose votes"),
    limit: params.limit,
  }),
  output: z.object({
    ok: z.literal(true),
    today: z.string(),
    window: pollWindow,
    group: pollGroup,
    from: z.string().nullable(),
    total: z.int(),
    standings: z.array(Row),
    topAgents: z.array(z.object({ agentName: z.string(), votes: z.int() })),
    nextVoteAt: z.string(),
    sinceNote: z.string(),
  }),
  async run({ deps, callerAs }, { window, group, limit }) {
    const poll = await getPoll(deps, { window, group, limit, caller: callerAs() });
    const { from, totals, standings, topAgents } = poll.standings[window]!;
    const rows = standings[group]!.map(toRow);
    const total = totals[group]!;
    return {
      data: {
        ok: true as const,
        today: poll.today,
        window,
        group,
        from,
        total,
        standings: rows,
        topAgents,
        nextVoteAt: poll.nextVoteAt,
        sinceNote: poll.sinceNote,
      },
      text: [
        `${poll.title} ${window}, ${poll.groups[group]}: ${
          plural(total, "vote")
        }. ${poll.sinceNote}`,
        ...rows.map(({ name, votes, share }, i) =>
          `${i + 1}. ${boldMarkdown(name)}: ${plural(votes, "vote")} (${
            (share * 100).toFixed(1)
          } %)`
        ),
        ...(topAgents.length === 0 ? [] : [
          "Agents that voted most: " +
          topAgents.map(({ agentName, votes }) => `${boldMarkdown(agentName)} (${votes})`).join(
            ", ",
          ),
        ]),
      ].join("\n"),
    };
  },
});

function toRow({ id, name, maker, votes, share }: Standing): z.infer<typeof Row> {
  return { id, name, maker, votes, share };
}
