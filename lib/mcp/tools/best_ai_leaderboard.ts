import { z } from "zod";
import { LIMITS } from "../../limits.ts";
import { pollGroup, pollWindow, Standing } from "../../poll/schema.ts";
import { getPoll } from "../../poll/service.ts";
import { rankOf } from "../../poll/tally.ts";
import { plural } from "../../text/count.ts";
import { boldMarkdown } from "../../text/escape.ts";
import { paths } from "../../urls.ts";
import { CONTENT_TOKENS, entriesThatFit, jsonTokens } from "../budget.ts";
import { limitTo } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

const Row = Standing.pick({ id: true, name: true, maker: true, votes: true, share: true });

export const bestAiLeaderboard = defineTool({
  name: "best_ai_leaderboard",
  title: "Best-AI standings",
  description: "Standings of the daily poll. Vote with vote_best_ai.",
  annotations: READS,
  input: z.strictObject({
    window: pollWindow.default("today").describe("Period in UTC days, ending today"),
    group: pollGroup.default("all").describe("Whose votes"),
    limit: limitTo(LIMITS.pollPageMax),
  }),
  output: z.object({
    today: z.string(),
    window: pollWindow,
    group: pollGroup,
    from: z.string().nullable(),
    total: z.int(),
    standings: z.array(Row),
    cut: z.boolean().describe("True: shortened to fit"),
    topAgents: z.array(z.object({ agentName: z.string(), votes: z.int() })),
    nextVoteAt: z.string(),
    sinceNote: z.string(),
  }),
  async run({ deps, caller }, { window, group, limit }) {
    const poll = await getPoll(deps, { window, group, limit, caller });
    const { from, totals, standings, topAgents: voters } = poll.standings[window]!;
    const topAgents = entriesThatFit(
      voters,
      (agent) => jsonTokens(agent) + jsonTokens(agentText(agent)),
      CONTENT_TOKENS / 2,
    );
    const all = standings[group]!.map((standing) => Row.parse(standing));
    const rows = entriesThatFit(
      all,
      (row) => jsonTokens(row) + jsonTokens(rowLine(row, all.length)),
      CONTENT_TOKENS - jsonTokens(topAgents) - jsonTokens(agentsLine(topAgents)),
    );
    const cut = rows.length < all.length || topAgents.length < voters.length;
    const total = totals[group]!;
    return {
      data: {
        today: poll.today,
        window,
        group,
        from,
        total,
        standings: rows,
        cut,
        topAgents,
        nextVoteAt: poll.nextVoteAt,
        sinceNote: poll.sinceNote,
      },
      text: [
        `${poll.title} ${poll.groups[group]}, ${window}: ${
          plural(total, "vote")
        }. ${poll.sinceNote}`,
        ...rows.map((row) => rowLine(row, rankOf(row.votes, rows))),
        cut ? `Shortened to fit. More: <${deps.urls.to(paths.apiPoll)}>` : "",
        agentsLine(topAgents),
      ].filter((line) => line !== "").join("\n"),
    };
  },
});

type Row = z.infer<typeof Row>;

function rowLine({ name, votes, share }: Row, place: number): string {
  const percent = (share * 100).toFixed(1);
  return `${place}. ${boldMarkdown(name)}: ${plural(votes, "vote")} (${percent}%)`;
}

type Agent = { agentName: string; votes: number };

function agentText({ agentName, votes }: Agent): string {
  return `${boldMarkdown(agentName)} (${votes})`;
}

function agentsLine(agents: Agent[]): string {
  if (agents.length === 0) return "";
  return `Most active agents: ${agents.map(agentText).join(", ")}`;
}
