import { Lru } from "../cache/lru.ts";
import type { Deps } from "../discovery/deps.ts";
import type { Entity } from "../http/respond.ts";

/** The maximum number of characters in all documents together: about 32 MB of Latin text. */
const MAX_LENGTH = 32_000_000;

/** Makes the store of generated documents. */
export function createDocuments(): Lru<Entity> {
  return new Lru({ max: MAX_LENGTH, sizeOf: ({ body }) => body.length });
}

/** A document of the directory. It is kept until the directory changes, then made again. */
export function keptDocument(deps: Deps, key: string, make: () => Entity): Entity {
  const revision = `${deps.catalogue.revision} ${deps.skills.revision}`;
  return deps.documents.get(key, revision) ?? deps.documents.set(key, make(), revision);
}
