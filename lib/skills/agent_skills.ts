import type { Deps } from "../deps.ts";
import { DomainError } from "../errors.ts";
import { type Entity, entity } from "../http/respond.ts";
import { oncePer } from "../once_per.ts";
import { paths, type Urls } from "../urls.ts";
import type { StoredSkill } from "./schema.ts";
import { readSkill } from "./store.ts";

/** The schema version of the index that clients of agentskills.io read. */
const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/** The body of a `/.well-known/agent-skills/index.json`. */
export interface AgentSkillsIndex {
  $schema: string;
  skills: { name: string; type: "skill-md"; description: string; url: string; digest: string }[];
}

/** The index as it was last made. */
const keptOf = oncePer((_: Deps): { index?: { setsRevision: number; content: Entity } } => ({}));

/**
 * The index of every live skill-md skill. It is large when they are many, so it is made again only
 * when one is shared, edited or hidden, and not after votes and copies.
 */
export function agentSkillsAnswer(deps: Deps): Entity {
  const { setsRevision } = deps.skills;
  const kept = keptOf(deps);
  if (kept.index?.setsRevision !== setsRevision) {
    const content = entity(JSON.stringify(toIndex(deps.skills.skillFiles(), deps.urls)));
    kept.index = { setsRevision, content };
  }
  return kept.index.content;
}

/**
 * The index with one live skill-md skill, below its page. Throws `not_found` for any other skill.
 */
export async function agentSkillIndex(deps: Deps, slug: string): Promise<AgentSkillsIndex> {
  const stored = (await readSkill(deps.store, slug))?.stored;
  if (stored?.state !== "live" || stored.kind !== "skill-md") throw new DomainError("not_found");
  return toIndex([stored], deps.urls);
}

function toIndex(skills: StoredSkill[], urls: Urls): AgentSkillsIndex {
  return {
    $schema: SCHEMA,
    skills: skills.map(({ slug, summary, fileSha256 }) => ({
      name: slug,
      type: "skill-md",
      // Whoever reads the index takes it for the words of this site otherwise.
      description: `Shared by a visitor, not reviewed: ${summary}`,
      url: urls.to(paths.skillFile(slug)),
      digest: `sha256:${fileSha256}`,
    })),
  };
}
