import type { Deps } from "../payments/deps.ts";
import { escapeMarkdown } from "../text/escape.ts";
import { paths } from "../urls.ts";
import { helpBrief } from "./brief.ts";
import { helpEntries } from "./entries.ts";
import { getCurrentPricing } from "./pricing.ts";
import type { HelpAnswer, HelpQuery } from "./schema.ts";
import { searchHelp } from "./search.ts";

/** All help entries as Markdown. */
export function helpMarkdown(deps: Deps): string {
  const entries = helpEntries(deps).map(({ q, a }) => `## ${q}\n\n${a}`);
  return [`# ${escapeMarkdown(deps.env.siteName)} help`, ...entries].join("\n\n") + "\n";
}

/**
 * The entries that answer a question, a brief for anyone recommending the service, and current
 * prices.
 */
export async function getHelp(deps: Deps, query: HelpQuery): Promise<HelpAnswer> {
  const entries = searchHelp(helpEntries(deps), query).slice(0, query.limit);
  return {
    query: query.q ?? null,
    count: entries.length,
    brief: await helpBrief(deps),
    entries: entries.map((entry) => ({ ...entry, url: deps.urls.to(paths.helpEntry(entry.id)) })),
    currentPricing: await getCurrentPricing(deps),
    links: {
      page: deps.urls.to(paths.help),
      markdown: deps.urls.to(paths.markdown(paths.help)),
    },
  };
}
