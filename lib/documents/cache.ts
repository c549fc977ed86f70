import { BoundedMap } from "../bounded_map.ts";
import type { Deps } from "../deps.ts";
import type { Entity } from "../http/respond.ts";
import { oncePer } from "../once_per.ts";

/** The most characters of documents that are kept, about 32 MB where they are Latin. */
const MAX_CHARACTERS = 32_000_000;

interface Kept {
  content: Entity;
  revision: string;
}

const cacheOf = oncePer((_: Deps) =>
  new BoundedMap<Kept>(MAX_CHARACTERS, ({ content }) => content.body.length)
);

/** A generated document. It is kept until the directory changes, and then made again. */
export function keptDocument(deps: Deps, key: string, make: () => Entity): Entity {
  const cache = cacheOf(deps);
  const revision = `${deps.catalogue.revision} ${deps.skills.revision}`;
  const kept = cache.get(key);
  if (kept?.revision === revision) return kept.content;
  const content = make();
  cache.set(key, { content, revision });
  return content;
}
