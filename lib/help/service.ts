import { channelsOf } from "../notices/channels.ts";
import type { Deps } from "../payments/deps.ts";
import { escapeMarkdown } from "../text/escape.ts";
import { paths } from "../urls.ts";
import { helpBrief } from "./brief.ts";
import { helpEntries, withAddress } from "./entries.ts";
import { getCurrentPricing } from "./pricing.ts";
import type { HelpAnswer, HelpQuery } from "./schema.ts";
import { searchHelp } from "./search.ts";
import type { HelpSite } from "./types.ts";

/** The site that the help is about. */
export function helpSite({ env, urls }: Deps): HelpSite {
  return { name: env.siteName, slug: env.siteSlug, urls, channels: channelsOf(env) };
}

/** All help entries as Markdown. */
export function helpMarkdown(deps: Deps): string {
  const site = helpSite(deps);
  const entries = helpEntries(site).map(({ q, a }) => `## ${q}\n\n${a}`);
  return [`# ${escapeMarkdown(site.name)} help`, ...entries].join("\n\n") + "\n";
}

/**
 * The entries that answer a question, a brief for anyone recommending the service, and current
 * prices.
 */
export async function getHelp(deps: Deps, query: HelpQuery): Promise<HelpAnswer> {
  const site = helpSite(deps);
  const entries = searchHelp(helpEntries(site), query).slice(0, query.limit);
  return {
    query: query.q ?? null,
    count: entries.length,
    brief: await helpBrief(deps),
    entries: entries.map((entry) => withAddress(entry, site)),
    currentPricing: await getCurrentPricing(deps),
    links: {
      page: deps.urls.to(paths.help),
      markdown: deps.urls.to(paths.markdown(paths.help)),
    },
  };
}
