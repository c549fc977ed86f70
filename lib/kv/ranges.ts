import type { Store } from "./store.ts";

/** The ids under a prefix: the last part of each key. */
export function listIds(store: Store, prefix: Deno.KvKey): Promise<string[]> {
  return Array.fromAsync(store.list({ prefix }), ({ key }) => key.at(-1) as string);
}

/** The values under a prefix, in key order. */
export function listValues<T>(store: Store, prefix: Deno.KvKey): Promise<T[]> {
  return Array.fromAsync(store.list<T>({ prefix }), ({ value }) => value);
}
