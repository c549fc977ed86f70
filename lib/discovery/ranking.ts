import { HOLDER_DAY_CAPS, LIMITS } from "../limits.ts";
import { HOT_MAX_AGE_MS } from "../read_model/hot.ts";
import { SORTS } from "../read_model/sorts.ts";
import { formatCount } from "../text/count.ts";
import { paths, type Urls, withQuery } from "../urls.ts";

/** The facts about the order of lists, as the ranking page and the API state them. */
export function rankingFacts(urls: Urls) {
  return {
    formula: "(votes + clicks * 0.1 + 1) / (ageHours + 2)^1.5",
    inputs: {
      votes: "Upvotes now; each voter has one, and can take it back; those of a ring may be held",
      clicks: `Visits through /go/<slug>; at most ${LIMITS.clicksPerVisitorHour} per visitor, ` +
        `project and hour, and ${HOLDER_DAY_CAPS.clicks} per network and 24 hours; ` +
        `${
          formatCount(LIMITS.visitsPerNetworkHour)
        } an hour per network for all projects; crawlers left out`,
      ageHours: "Hours since the project was listed, with fractions",
    },
    sorts: SORTS.map((sort) => ({ ...sort })),
    ties: "The newer project first, then by slug",
    paid: "Promotion and sponsorship change no score and no order; paid places are labeled",
    gems: "A daily scout picks young, unpromoted projects with full entries and few votes; " +
      "gems cannot be bought and end after 14 days or with a promotion",
    refreshSeconds: HOT_MAX_AGE_MS / 1000,
    explain: urls.to(withQuery(paths.apiListings, { explain: "1" })),
  };
}
