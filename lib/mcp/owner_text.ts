import type { NoticeSettings } from "../notices/service.ts";
import { sumOf } from "../promotions/report.ts";
import type { Figures, PromotionReport } from "../promotions/report_schema.ts";
import { plural } from "../text/count.ts";

/** How many of the latest promotions a result has; the API has all of them, and daily figures. */
export const PROMOTIONS_TOLD = 10;

/** What a listing's owner is told about it, as text. */
export function ownerText(
  { notices, since, baseline, promotions }:
    & Pick<PromotionReport, "since" | "baseline" | "promotions">
    & { notices: NoticeSettings },
): string {
  const { channels, webhookSecret } = notices;
  const ways = Object.entries(channels).filter(([, { offered }]) => offered)
    .map(([name, { isSet }]) => `${name} ${isSet ? "on" : "off"}`);
  return [
    ways.length === 0
      ? "Notices: this site sends none"
      : `Notices: ${ways.join(", ")}. Webhook secret: ${webhookSecret}`,
    `Days without a promotion, since ${since}: ${inWords(baseline)}`,
    ...promotions.map(({ name, startsAt, endsAt, before, during, after, isEnough }) =>
      `- ${name}, ${startsAt} to ${endsAt}: ${inWords(during)}. Before: ${
        inWords(before)
      }. After: ${inWords(after)}${isEnough ? "" : ". Too few clicks to rule out chance"}`
    ),
  ].join("\n");
}

function inWords({ days, clicks, votes }: Figures): string {
  return `${plural(sumOf(clicks), "click")} and ${plural(sumOf(votes), "vote")} in ${
    plural(days, "day")
  }`;
}
