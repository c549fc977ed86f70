import { assertEquals } from "@std/assert";
import { counterValue } from "@/lib/kv/store.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { urlKey } from "@/lib/text/url_identity.ts";
import { voteKeys, voteRanges } from "@/lib/votes/keys.ts";

/** The voters stored for a listing, and its count. */
export async function votesOf(
  kv: Pick<Deno.Kv, "get" | "list">,
  slug: string,
): Promise<{ voters: Set<string>; count: number }> {
  const stored = await Array.fromAsync(kv.list(voteRanges.votes("listing", slug)));
  const up = counterValue(await kv.get(voteKeys.count("listing", slug, "up")));
  const down = counterValue(await kv.get(voteKeys.count("listing", slug, "down")));
  return { voters: new Set(stored.map(({ key }) => key.at(-1) as string)), count: up - down };
}

/**
 * Asserts what must hold when nothing is in progress (invariants 1, 6 and 8): each count equals its
 * stored votes, each listing claims its own URL and no other, and each claimed URL belongs to a
 * listing that has it. Returns the listings by slug.
 */
export async function assertConsistent(
  kv: Pick<Deno.Kv, "get" | "list">,
  label = "",
): Promise<Map<string, StoredListing>> {
  const listings = new Map<string, StoredListing>();
  for await (const { value } of kv.list<StoredListing>({ prefix: listingKeys.all })) {
    listings.set(value.slug, value);
    const { voters, count } = await votesOf(kv, value.slug);
    assertEquals(count, voters.size, `${label}: count and stored votes of ${value.slug}`);
    if (value.state === "withdrawn") continue;
    const held = await kv.get(listingKeys.byUrl(urlKey(value.url)));
    assertEquals(held.value, value.slug, `${label}: URL of ${value.slug}`);
  }
  const urls = await Array.fromAsync(kv.list<string>({ prefix: listingKeys.allByUrl }));
  for (const { key, value } of urls) {
    const listing = listings.get(value);
    assertEquals(listing && urlKey(listing.url), key.at(-1), `${label}: URL held by ${value}`);
  }
  return listings;
}
