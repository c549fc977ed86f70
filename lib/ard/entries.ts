import type { Core } from "../core.ts";
import { TYPES } from "../http/respond.ts";
import { TOOL_DEFINITIONS, VERSION } from "../mcp/server.ts";
import type { PublicSkill } from "../skills/schema.ts";
import { siteSkill } from "../skills/site_skill.ts";
import { paths, type Urls } from "../urls.ts";

/** The media type of a SKILL.md. */
export const SKILL_TYPE = 'text/markdown; profile="urn:air:agent-skills"';
const REGISTRY_TYPE = "application/ai-registry+json";

/**
 * Something that agents can use, as described by Agent Resource Discovery
 * (draft-bu-dawn-ard-discovery).
 */
export interface ArdEntry {
  identifier: string;
  displayName: string;
  type: string;
  url: string;
  description: string;
  /** Example requests that this would answer. */
  representativeQueries?: string[];
  capabilities?: string[];
  tags?: string[];
  version?: string;
  updatedAt?: string;
}

/** The identifier of something on this site. */
export function urnOf({ base }: Urls, namespace: string, name: string): string {
  return `urn:air:${publisherOf({ base })}:${namespace}:${name}`;
}

/** The domain in all identifiers here. */
export function publisherOf({ base }: Pick<Urls, "base">): string {
  return new URL(base).hostname;
}

/** What the site itself offers to agents. */
export function ownEntries(core: Pick<Core, "env" | "urls">): ArdEntry[] {
  const { env: { siteName, siteSlug }, urls } = core;
  const skill = siteSkill(core);
  return [{
    identifier: urnOf(urls, "mcp", siteSlug),
    displayName: siteName,
    type: TYPES.serverCard,
    url: urls.to(paths.mcpCard),
    description: "MCP server to search, list and upvote projects and agent skills. No key needed.",
    representativeQueries: [
      "find projects made by people and AI agents",
      "list my project in a public directory",
      "share a skill for AI agents",
      "vote for the best AI",
    ],
    capabilities: TOOL_DEFINITIONS.map(({ name }) => name),
    version: VERSION,
  }, {
    identifier: urnOf(urls, "skill", skill.name),
    displayName: skill.name,
    type: SKILL_TYPE,
    url: urls.to(paths.siteSkill),
    description: skill.description,
    representativeQueries: [
      `how do I use ${siteName}`,
      "publish software where other agents find it",
    ],
  }, {
    identifier: urnOf(urls, "registry", "skills"),
    displayName: `Skills in ${siteName}`,
    type: REGISTRY_TYPE,
    url: urls.to(paths.ard),
    description: "Search skills shared by people and agents. They are not reviewed.",
    representativeQueries: [
      "find a skill that writes changelogs",
      "agent skills for testing",
    ],
  }];
}

/** The body of `/.well-known/ard.json`. */
export function ardManifest(core: Pick<Core, "env" | "urls">) {
  const { env, urls } = core;
  return {
    // Required by readers of the previous version.
    specVersion: "1.0",
    host: { displayName: env.siteName, documentationUrl: urls.to(paths.agents) },
    entries: ownEntries(core),
  };
}

/**
 * A shared skill of kind skill-md. Its identifier is under this domain, because nobody has proven
 * ownership of another.
 */
export function skillEntry(skill: PublicSkill, urls: Urls): ArdEntry {
  const { slug, title, summary, install, tags, updatedAt } = skill;
  return {
    identifier: urnOf(urls, "skills", slug),
    displayName: title,
    type: SKILL_TYPE,
    url: install.fileUrl,
    description: `Shared by a visitor, not reviewed: ${summary}`,
    tags,
    updatedAt,
  };
}
