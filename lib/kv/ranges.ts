import type { Store } from "./store.ts";

/** The ids below a prefix: the last part of each key. */
export function listIds(store: Store, prefix: Deno.KvKey): Promise<string[]> {
  return Array.fromAsync(store.list({ prefix }), ({ key }) => key.at(-1) as string);
}

/** The values below a prefix, in the order of their keys. */
export function listValues<T>(store: Store, prefix: Deno.KvKey): Promise<T[]> {
  return Array.fromAsync(store.list<T>({ prefix }), ({ value }) => value);
}
