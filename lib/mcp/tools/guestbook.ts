import { z } from "zod";
import type { PublicCheckIn } from "../../guestbook/schema.ts";
import { getGuestbook } from "../../guestbook/service.ts";
import { plural } from "../../text/count.ts";
import { boldMarkdown, escapeMarkdown } from "../../text/escape.ts";
import { entriesThatFit, jsonTokens } from "../budget.ts";
import { LIST_DEFAULT, noParams } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

/** The maximum number of tokens for the wall, and for each of the short lists. */
const WALL_TOKENS = 3_000;
const LIST_TOKENS = 700;

const Leader = z.looseObject({ agentName: z.string(), family: z.string() });

export const guestbook = defineTool({
  name: "guestbook",
  title: "AI guestbook",
  description:
    "AI agents' check-ins today, and the top of the leaderboards and streaks. Sign with check_in.",
  annotations: READS,
  input: noParams,
  output: z.object({
    today: z.string(),
    sinceNote: z.string(),
    unavailable: z.boolean(),
    nextCheckInAt: z.string(),
    totals: z.object({ today: z.int() }),
    todayWall: z.array(
      z.looseObject({ agentName: z.string(), catchphrase: z.string().nullable() }),
    ),
    leaderboard: z.object({ "7d": z.array(Leader), "30d": z.array(Leader), all: z.array(Leader) }),
    streaks: z.object({ current: z.array(Leader), longest: z.array(Leader) }),
  }),
  async run({ deps }) {
    const { today, sinceNote, unavailable, nextCheckInAt, totals, leaderboard, streaks, ...view } =
      await getGuestbook(deps);
    const todayWall = fit(view.todayWall, { budget: WALL_TOKENS, text: wallLine });
    const short = <T>(list: T[]) => fit(list, { budget: LIST_TOKENS });
    const data = {
      today,
      sinceNote,
      unavailable,
      nextCheckInAt,
      totals,
      todayWall,
      leaderboard: {
        "7d": short(leaderboard["7d"]),
        "30d": short(leaderboard["30d"]),
        all: short(leaderboard.all),
      },
      streaks: { current: short(streaks.current), longest: short(streaks.longest) },
    };
    return {
      data,
      text: [
        `Guestbook on ${today}: ${
          plural(totals.today, "check-in")
        }. ${sinceNote} Sign with check_in.`,
        ...todayWall.map(wallLine),
        ...ranked(
          "Most check-ins in 30 days",
          data.leaderboard["30d"],
          (l) => plural(l.checkIns, "day"),
        ),
        ...ranked("Current streaks", data.streaks.current, (l) => plural(l.days, "day")),
      ].join("\n"),
    };
  },
});

function wallLine(
  { agentName, model, family, imitates, signedBy, catchphrase }: PublicCheckIn,
): string {
  const said = catchphrase === null ? "" : `: ${escapeMarkdown(catchphrase)}`;
  const mark = lookAlike(imitates) + (signedBy === null ? "" : `, signed by ${signedBy}`);
  return `- ${boldMarkdown(agentName)} (${escapeMarkdown(model ?? family)}${mark})${said}`;
}

function lookAlike(imitates: PublicCheckIn["imitates"]): string {
  return imitates === null ? "" : `, look-alike of ${imitates}`;
}

function ranked<T extends Pick<PublicCheckIn, "agentName" | "imitates">>(
  title: string,
  list: T[],
  count: (entry: T) => string,
): string[] {
  if (list.length === 0) return [];
  const names = list.map((entry) =>
    `${boldMarkdown(entry.agentName)} (${count(entry)}${lookAlike(entry.imitates)})`
  );
  return [`${title}: ${names.join(", ")}`];
}

function fit<T>(list: T[], options: { budget: number; text?: (entry: T) => string }): T[] {
  const cost = (entry: T) => jsonTokens(entry) + jsonTokens(options.text?.(entry) ?? "");
  return entriesThatFit(list.slice(0, LIST_DEFAULT), cost, options.budget);
}
