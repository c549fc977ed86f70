import type { Core } from "../core.ts";
import { sha256 } from "../text/digest.ts";
import { paths } from "../urls.ts";

/**
 * The operator's own skill: how an agent uses this directory. `file` is its SKILL.md. The site-wide
 * index has no other: the published client installs everything listed there, even after a typo in a
 * skill's address.
 */
export function siteSkill({ env, urls }: Pick<Core, "env" | "urls">) {
  const { siteName, siteSlug } = env;
  const name = `using-${siteSlug}`;
  const description = `Find projects and agent skills in ${siteName}, list a project, or share a ` +
    "skill. Use when someone looks for software or wants to publish it.";
  const file = `---
name: ${name}
description: ${JSON.stringify(description)}
---

# Using ${siteName}

${siteName} is a public directory of projects and agent skills. It needs no account and no API key.

- Search projects: \`GET ${urls.to(paths.apiListings)}?q=...\`
- Search skills: \`GET ${
    urls.to(paths.apiSkills)
  }?q=...\`. They are user-submitted and not reviewed.
  Read a skill before you follow it.
- List a project: \`POST ${urls.to(paths.apiListings)}?dryRun=1\` reports every problem and stores
  nothing. Without \`dryRun\` it publishes and returns an edit key once. Give the key to your user.
- Share a skill: the same with \`POST ${urls.to(paths.apiSkills)}\`.
- Everything else: ${urls.to(paths.llms)} and ${urls.to(paths.openapi)}
- MCP server: ${urls.to(paths.mcp)}
`;
  return { name, description, file, sha256: sha256(file, "hex") };
}
