import type { Deps } from "../deps.ts";
import { helpEntries } from "../help/entries.ts";
import { helpSite } from "../help/service.ts";

/** Every entry of the help as Markdown. */
export function helpMarkdown(deps: Deps): string {
  const site = helpSite(deps);
  const entries = helpEntries(site).map(({ q, a }) => `## ${q}\n\n${a}`);
  return [`# Help of ${site.name}`, ...entries].join("\n\n") + "\n";
}
