import { categories } from "@/lib/catalog/categories.ts";
import { pricingSlug } from "@/lib/catalog/pricing.ts";
import { toolSlug } from "@/lib/catalog/tools.ts";
import { HOUR_MS } from "@/lib/clock.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { createLogId } from "@/lib/kv/log_id.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { ListingInput, type StoredListing } from "@/lib/listings/schema.ts";
import { SCHEMA_VERSION } from "@/lib/migrations.ts";
import { urlKey } from "@/lib/text/url_identity.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { readRealProjects, type RealProject, toSubmission } from "../support/real_projects.ts";

/** Entries in one atomic operation: KV allows 1,000, and 800 KiB. */
const BATCH = 300;

type Entry = [key: Deno.KvKey, value: unknown];

/**
 * Fills a new KV file with `count` listings made from real package metadata, with varied ages,
 * votes, categories and tools; the same count makes the same listings. It writes entries as the
 * service would have left them, but in key order, which SQLite stores eight times as fast. Returns
 * the file's path, in its own folder.
 */
export async function seedDirectory(count: number): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: `projectory-${count}-` });
  const kvPath = `${folder}/kv.sqlite3`;
  const now = Date.now();
  const real = readRealProjects();
  const spaces: Entry[][] = [];
  for (let i = 0; i < count; i++) {
    const entries = entriesOf(i, real[i % real.length]!, now - (i * 37 % 50_000) * HOUR_MS / 10);
    entries.forEach((entry, space) => {
      // A listing without a description has no entry for it.
      if (entry[1] !== null) (spaces[space] ??= []).push(entry);
    });
  }
  using kv = await Deno.openKv(kvPath);
  await kv.set(storeKeys.schemaVersion, SCHEMA_VERSION);
  await kv.set(storeKeys.revision, new Deno.KvU64(BigInt(count)));
  for (const entries of spaces) {
    entries.sort(([a], [b]) => a.join() < b.join() ? -1 : 1);
    for (let i = 0; i < entries.length; i += BATCH) {
      const operation = kv.atomic();
      for (const [key, value] of entries.slice(i, i + BATCH)) operation.set(key, value);
      await operation.commit();
    }
  }
  return kvPath;
}

/** The entries of one listing, each in a different keyspace. */
function entriesOf(i: number, project: RealProject, createdAt: number): Entry[] {
  const tools = toolSlug.options;
  const { description, ...input } = ListingInput.parse({
    ...toSubmission(project),
    name: `${project.name} ${i}`.slice(0, 60),
    url: `https://example.com/${i}`,
    category: categories[i % categories.length]!.slug,
    builtWith: [tools[i % tools.length], tools[(i >> 3) % tools.length]],
    pricing: pricingSlug.options[i % 5],
  });
  const slug = `listing-${i}`;
  const listing: StoredListing = {
    ...input,
    slug,
    state: "live",
    keyHash: "0".repeat(43),
    createdAt,
    updatedAt: createdAt,
  };
  const id = createLogId(createdAt);
  return [
    [listingKeys.one(slug), listing],
    [listingKeys.description(slug), description],
    [listingKeys.byUrl(urlKey(listing.url)), slug],
    [listingKeys.clicks(slug), new Deno.KvU64(BigInt(i * 7 % 301))],
    [voteKeys.count("listing", slug, "up"), new Deno.KvU64(BigInt(i * i % 97))],
    [storeKeys.change(id), { id, kind: "listing", slug, event: "created", at: createdAt }],
  ];
}
