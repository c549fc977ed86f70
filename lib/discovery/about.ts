import { DAY_MS } from "../clock.ts";
import { helpBrief } from "../help/brief.ts";
import { getCurrentPricing } from "../help/pricing.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import type { About } from "./schema.ts";

/** What the service is, with live figures and current prices. */
export async function getAbout(deps: Deps): Promise<About> {
  const { catalogue, urls, env } = deps;
  const { summary, whoItsFor, businessModel } = await helpBrief(deps);
  return {
    name: env.siteName,
    description: summary,
    whoItsFor,
    businessModel,
    stats: {
      projects: catalogue.size,
      newThisWeek: catalogue.countAfter(deps.clock.now() - 7 * DAY_MS),
      votes: catalogue.totals.votes,
      visits: catalogue.totals.uses,
      skills: deps.skills.size,
      promoted: catalogue.promotions.length,
      gems: catalogue.select({ gems: "1", limit: 0 }).total,
    },
    currentPricing: await getCurrentPricing(deps),
    links: {
      home: urls.to(paths.home),
      submit: urls.to(paths.submit),
      help: urls.to(paths.help),
      api: urls.to(paths.api),
      openapi: urls.to(paths.openapi),
      mcp: urls.to(paths.mcp),
      llms: urls.to(paths.llms),
      terms: urls.to(paths.terms),
      privacy: urls.to(paths.privacy),
    },
  };
}
