import { HOLDER_DAY_CAPS, LIMITS } from "../limits.ts";
import { HOT_MAX_AGE_MS } from "../read_model/hot.ts";
import { SORTS } from "../read_model/sorts.ts";
import { formatCount } from "../text/count.ts";
import { paths, type Urls, withQuery } from "../urls.ts";

/** The facts about list order, as stated on the ranking page and in the API. */
export function rankingFacts(urls: Urls) {
  return {
    formula: "(votes + clicks * 0.1 + 1) / (ageHours + 2)^1.5",
    inputs: {
      votes:
        "Current upvotes, one per voter. Voters can take them back. Votes that look coordinated can be held",
      clicks:
        `Visits through /go/<slug>. For each project, up to ${LIMITS.clicksPerVisitorHour} an hour per visitor ` +
        `and ${HOLDER_DAY_CAPS.clicks} in 24 hours per network count, and up to ${
          formatCount(LIMITS.visitsPerNetworkHour)
        } an hour per network across all projects. Crawlers don't count`,
      ageHours: "Hours since the project was listed, including fractions",
    },
    sorts: SORTS.map(({ id, name, rule }) => ({ id, name, rule })),
    ties: "Newer project first, then by slug",
    paid: "Promotion and sponsorship never change a score or an order. Paid placements are labeled",
    gems: "Every day, the site picks new, unpromoted projects with detailed pages and few votes. " +
      "Gems are not for sale. They end after 14 days, or once promoted",
    refreshSeconds: HOT_MAX_AGE_MS / 1000,
    explain: urls.to(withQuery(paths.apiListings, { explain: "1" })),
  };
}
