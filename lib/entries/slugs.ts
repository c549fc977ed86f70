import type { Env } from "../env.ts";
import type { Store, Tx } from "../kv/store.ts";
import { numberedSlug } from "../text/slug.ts";

/** Words that can't be slugs, because such an entry would look like part of the site. */
const OWN_WORDS = "about admin api edit help new null operator projectory search submit undefined"
  .split(" ");

/** Slugs that no entry gets: `OWN_WORDS`, the site's own, and `more`. */
export function reservedSlugs({ siteSlug }: Env, ...more: string[]): ReadonlySet<string> {
  return new Set([...OWN_WORDS, siteSlug, ...more]);
}

/** A slug's base, and the keys of its records and of the next number to try. */
export interface SlugOptions {
  base: string;
  recordKey: (slug: string) => Deno.KvKey;
  suffixKey: (base: string) => Deno.KvKey;
}

/** Numbers tried one by one. After that, the steps double, up to `MAX_STEP`. */
const SINGLE_STEPS = 8;
const MAX_STEP = 2 ** 40;

/**
 * Takes a free slug for a base, in the transaction that writes its record. Stores the next number
 * to try, so many listings with the same name don't slow the search.
 */
export async function takeSlug(tx: Tx, options: SlugOptions): Promise<string> {
  // Of the numbered slugs, the commit checks only the free one: taken ones stay taken, and a KV
  // server allows ten checks.
  const { record, slug, next } = await freeSlug({
    getMany: (keys) => tx.getMany(keys),
    get: (key) => tx.peek(key),
  }, options);
  tx.check(record);
  if (next !== null) tx.set(options.suffixKey(options.base), next);
  return slug;
}

/**
 * A free slug for a base, its (absent) record, and the next number to try, or null if the base
 * itself is free. If other names took the numbers ("Notes 2" to "Notes 4000"), the search takes one
 * more read each time they double.
 */
export async function freeSlug(
  reads: Pick<Store, "get" | "getMany">,
  { base, recordKey, suffixKey }: SlugOptions,
): Promise<{ slug: string; record: Deno.KvEntryMaybe<unknown>; next: number | null }> {
  const [first, suffix] = await reads.getMany<unknown>([recordKey(base), suffixKey(base)]);
  if (first!.value === null) return { slug: base, record: first!, next: null };
  let n = (suffix!.value as number | null) ?? 2;
  for (let tries = 1, step = 1;; tries++) {
    const slug = numberedSlug(base, n);
    const record = await reads.get(recordKey(slug));
    if (record.value === null) return { slug, record, next: n + 1 };
    if (tries >= SINGLE_STEPS) step = Math.min(2 * step, MAX_STEP);
    n += step;
  }
}
