import { z } from "zod";
import { getListing } from "../../listings/service.ts";
import { type NoticeSettings, readNoticeSettings } from "../../notices/service.ts";
import { readPromotionReport, sumOf } from "../../promotions/report.ts";
import type { Figures, PromotionReport } from "../../promotions/schema.ts";
import { plural } from "../../text/count.ts";
import { jsonTokens } from "../budget.ts";
import { clippedRecord, ListingRecord, recordText } from "../listing_text.ts";
import { params } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

/** How many of the latest promotions a result has; the API has all of them, and daily figures. */
const PROMOTIONS_TOLD = 10;

export const getProject = defineTool({
  name: "get_project",
  title: "Get a project",
  description: "One project with its description, links, votes and paid placement.",
  annotations: READS,
  input: z.strictObject({
    slug: params.projectSlug,
    editKey: z.string().trim().max(200).optional()
      .describe("The project's edit key, to also get its notices and promotion results"),
  }),
  output: z.object({ project: ListingRecord, owner: z.looseObject({}).optional() }),
  async run({ deps, caller }, { slug, editKey }) {
    const listing = await getListing(deps, slug);
    if (editKey === undefined) {
      const project = clippedRecord(listing);
      return { data: { project }, text: recordText(project) };
    }
    const own = { slug, editKey, caller };
    const notices = await readNoticeSettings(deps, own);
    const { days: _, promotions, ...report } = await readPromotionReport(deps, own);
    const owner = { notices, ...report, promotions: promotions.slice(-PROMOTIONS_TOLD) };
    const told = ownerText(owner);
    const project = clippedRecord(listing, jsonTokens(owner) + jsonTokens(told));
    return { data: { project, owner }, text: `${recordText(project).trimEnd()}\n\n${told}` };
  },
});

/** What a listing's owner is told about it, as text. */
function ownerText(
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
