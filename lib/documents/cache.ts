import type { Deps } from "../discovery/deps.ts";
import type { Entity } from "../http/respond.ts";

/** A document of the directory. It is kept until the directory changes, then made again. */
export function keptDocument(deps: Deps, key: string, make: () => Entity): Entity {
  const { answers, catalogue, skills } = deps;
  const revision = `${catalogue.revision} ${skills.revision}`;
  const kept = answers.get(key, revision) ?? answers.set(key, { content: make() }, revision);
  return kept.content;
}
