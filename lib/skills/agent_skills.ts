import { DomainError } from "../errors.ts";
import { type Entity, entity } from "../http/respond.ts";
import { paths, type Urls } from "../urls.ts";
import type { Deps } from "./deps.ts";
import type { StoredSkill } from "./schema.ts";
import { readSkill } from "./store.ts";

/** The schema version of the index that clients of agentskills.io read. */
const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/** The body of a `/.well-known/agent-skills/index.json`. */
export interface AgentSkillsIndex {
  $schema: string;
  skills: { name: string; type: "skill-md"; description: string; url: string; digest: string }[];
}

/**
 * The index of every live skill-md skill. It is large when they are many, so it is made again only
 * when one is shared, edited or hidden, and not after votes and copies.
 */
export function agentSkillsAnswer({ documents, skills, urls }: Deps): Entity {
  const key = "agent-skills";
  const { setsRevision } = skills;
  const make = () => entity(JSON.stringify(toIndex(skills.skillFiles(), urls)));
  return documents.get(key, setsRevision) ?? documents.set(key, make(), setsRevision);
}

/**
 * The index with one live skill-md skill, below its page. Throws `not_found` for any other skill.
 */
export async function agentSkillIndex(deps: Deps, slug: string): Promise<AgentSkillsIndex> {
  const stored = (await readSkill(deps.store, slug))?.stored;
  if (stored?.state !== "live" || stored.kind !== "skill-md") throw new DomainError("not_found");
  return toIndex([stored], deps.urls);
}

function toIndex(
  skills: readonly Pick<StoredSkill, "slug" | "summary" | "fileSha256">[],
  urls: Urls,
): AgentSkillsIndex {
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
