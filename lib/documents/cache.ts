import type { Deps } from "../deps.ts";
import type { Entity } from "../http/respond.ts";

/** Characters of documents that are kept, about 32 MB where they are Latin. */
const MAX_CHARACTERS = 32_000_000;

interface Kept {
  content: Entity;
  revision: string;
}

const caches = new WeakMap<Deps, DocumentCache>();

/** A generated document: the bytes kept while the directory does not change, else made again. */
export function document(deps: Deps, key: string, make: () => Entity): Entity {
  let cache = caches.get(deps);
  if (cache === undefined) caches.set(deps, cache = new DocumentCache());
  const revision = `${deps.catalogue.revision} ${deps.skills.revision}`;
  const kept = cache.get(key);
  if (kept?.revision === revision) return kept.content;
  const content = make();
  cache.set(key, { content, revision });
  return content;
}

/** Documents by key; the ones kept longest make room for new ones. */
class DocumentCache {
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  get(key: string): Kept | undefined {
    return this.#kept.get(key);
  }

  set(key: string, kept: Kept): void {
    this.#characters += kept.content.body.length - this.#lengthOf(key);
    // Not deleted first: see `UnderWay` for what that costs.
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      if (oldest !== key) this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#characters -= this.#lengthOf(key);
    this.#kept.delete(key);
  }

  #lengthOf(key: string): number {
    return this.#kept.get(key)?.content.body.length ?? 0;
  }
}
