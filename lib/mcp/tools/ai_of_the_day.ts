import { z } from "zod";
import { getAiOfTheDay } from "../../ai_of_the_day/service.ts";
import { boldMarkdown } from "../../text/escape.ts";
import { noParams } from "../params.ts";
import { defineTool, READS } from "../tool.ts";
import { plural } from "../../text/count.ts";

/** The tool `ai_of_the_day`; what it does is its description. */
export const aiOfTheDay = defineTool({
  name: "ai_of_the_day",
  title: "AI of the Day",
  description: "Which AI family gave the site its colours today, and the race for tomorrow.",
  annotations: READS,
  input: noParams,
  output: z.object({
    ok: z.literal(true),
    today: z.looseObject({ day: z.string(), basedOn: z.string(), enabled: z.boolean() }),
    race: z.object({
      day: z.string(),
      standings: z.array(z.looseObject({ family: z.string(), checkIns: z.int() })),
      note: z.string(),
    }),
    rules: z.array(z.string()),
    generatedAt: z.string(),
  }),
  async run({ deps }) {
    const view = await getAiOfTheDay(deps);
    const { today, race } = view;
    const winner = today.winner === null
      ? `Nobody signed on ${today.basedOn}: ${today.day} has no AI of the Day.`
      : `AI of the Day on ${today.day}: ${today.winner.name}, ${
        plural(today.winner.checkIns, "check-in")
      } on ` +
        `${today.basedOn}.`;
    const theme = today.theme === null ? "" : ` Theme: ${boldMarkdown(today.theme.name)}` +
      (today.proposedBy === null ? "." : `, proposed by ${boldMarkdown(today.proposedBy)}.`);
    return {
      data: view,
      text: [
        winner + theme,
        ...race.standings.map(({ name, checkIns, detectedHits }, i) =>
          `${i + 1}. ${name}: ${plural(checkIns, "check-in")}, ${plural(detectedHits, "request")}`
        ),
        race.note,
      ].join("\n"),
    };
  },
});
