import type { Core } from "../core.ts";
import { DomainError } from "../errors.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { readVersion } from "./service.ts";
import { siteSkill } from "./site_skill.ts";

/** The schema version of the index that agentskills.io clients read. */
const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/** The body of a `/.well-known/agent-skills/index.json` with one skill. */
function indexOf(
  { name, description, url, sha256 }: Record<"name" | "description" | "url" | "sha256", string>,
) {
  const digest = `sha256:${sha256}`;
  return { $schema: SCHEMA, skills: [{ name, type: "skill-md", description, url, digest }] };
}

/** The index of the whole site. It lists only the operator's own skill. */
export function siteIndex(core: Pick<Core, "env" | "urls">) {
  return indexOf({ ...siteSkill(core), url: core.urls.to(paths.siteSkill) });
}

/**
 * The index with one live skill-md skill, served below its page or a version's. Throws `not_found`
 * for any other skill.
 */
export async function agentSkillIndex(deps: Deps, slug: string, sha256?: string) {
  const { stored } = await readVersion(deps, slug, sha256);
  if (stored.kind !== "skill-md") throw new DomainError("not_found");
  return indexOf({
    name: stored.folder ?? slug,
    // Otherwise readers of the index would take this for the site's own words.
    description: `Shared by a visitor, not reviewed: ${stored.summary}`,
    url: deps.urls.to(paths.skillFile(slug, stored.sha256)),
    sha256: stored.fileSha256,
  });
}
