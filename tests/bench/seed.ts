import { createDeps } from "@/lib/app/deps.ts";
import { categories } from "@/lib/catalog/categories.ts";
import { pricingSlug } from "@/lib/catalog/pricing.ts";
import { toolSlug } from "@/lib/catalog/tools.ts";
import { HOUR_MS } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { ListingInput, type StoredListing } from "@/lib/listings/schema.ts";
import { writeListing } from "@/lib/listings/service.ts";
import { urlKey } from "@/lib/listings/url_identity.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { readRealProjects, toSubmission } from "../support/real_projects.ts";

const BATCH = 100;

/**
 * Fills a new KV file with `count` listings made of real package metadata, with varied age, votes, categories
 * and tools; the same ones for the same count. Returns the file's path.
 */
export async function seedDirectory(count: number): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: `projectory-bench-${count}-` });
  const kvPath = `${folder}/kv.sqlite3`;
  const now = Date.now();
  const clock = fixedClock(now);
  const env = parseEnv({ KV_PATH: kvPath, LOG_LEVEL: "silent" });
  const deps = createDeps(env, { kv: await Deno.openKv(kvPath), salt: "", clock });
  const real = readRealProjects();
  const tools = toolSlug.options;
  for (let start = 0; start < count; start += BATCH) {
    await deps.store.transact((tx) => {
      for (let i = start; i < Math.min(count, start + BATCH); i++) {
        const { listing, description } = makeListing(i, now - (i * 37 % 50_000) * HOUR_MS / 10);
        clock.set(listing.createdAt);
        writeListing(tx, { listing, description }, "created");
        tx.set(listingKeys.byUrl(urlKey(listing.url)), listing.slug);
        tx.sum(voteKeys.count("listing", listing.slug, "up"), BigInt(i * i % 97));
        tx.sum(listingKeys.clicks(listing.slug), BigInt(i * 7 % 301));
      }
    });
  }
  deps.store.close();
  return kvPath;

  function makeListing(i: number, createdAt: number) {
    const project = real[i % real.length]!;
    const fields = toSubmission(project);
    const { description, ...input } = ListingInput.parse({
      ...fields,
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
    return { listing, description };
  }
}
