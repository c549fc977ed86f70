import type { Tx } from "./kv/store.ts";
import { numberedSlug } from "./text/slug.ts";

/**
 * The first free slug for a base, in the transaction that will write its record. Names taken before keep the
 * next number to try, so that no scan grows.
 */
export async function takeSlug(tx: Tx, options: {
  base: string;
  recordKey: (slug: string) => Deno.KvKey;
  suffixKey: (base: string) => Deno.KvKey;
}): Promise<string> {
  const { base, recordKey, suffixKey } = options;
  const [first, suffix] = await tx.getMany<unknown>([recordKey(base), suffixKey(base)]);
  if (first!.value === null) return base;
  for (let n = (suffix!.value as number | null) ?? 2;; n++) {
    const slug = numberedSlug(base, n);
    if ((await tx.get(recordKey(slug))).value !== null) continue;
    tx.set(suffixKey(base), n + 1);
    return slug;
  }
}
