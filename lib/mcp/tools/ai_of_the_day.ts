import { z } from "zod";
import type { AiOfTheDayView } from "../../ai_of_the_day/schema.ts";
import { getAiOfTheDay } from "../../ai_of_the_day/service.ts";
import { plural } from "../../text/count.ts";
import { boldMarkdown } from "../../text/escape.ts";
import { noParams } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

export const aiOfTheDay = defineTool({
  name: "ai_of_the_day",
  title: "AI of the Day",
  description: "Today's AI of the Day, which sets the site's theme, and the race for tomorrow.",
  annotations: READS,
  input: noParams,
  output: z.object({
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
      ? `No AI of the Day on ${today.day}: there were no check-ins on ${today.basedOn}.`
      : `AI of the Day on ${today.day}: ${today.winner.name}, ${
        plural(today.winner.checkIns, "check-in")
      } on ` +
        `${today.basedOn}.`;
    return {
      data: view,
      text: [
        winner + themeText(today),
        ...race.standings.map(({ name, checkIns, detectedHits }, i) =>
          `${i + 1}. ${name}: ${plural(checkIns, "check-in")}, ${plural(detectedHits, "request")}`
        ),
        race.note,
      ].join("\n"),
    };
  },
});

/** The site's theme, and who chose it. */
function themeText({ enabled, theme, themeSource, proposedBy }: AiOfTheDayView["today"]): string {
  if (!enabled) return " Daily themes are switched off.";
  if (theme === null) return "";
  const name = boldMarkdown(theme.name);
  if (themeSource === "override") return ` The operator chose the theme ${name}.`;
  return ` Theme: ${name}${
    proposedBy === null ? "" : `, proposed by ${boldMarkdown(proposedBy)}`
  }.`;
}
