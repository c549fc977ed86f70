import type { StoredListing } from "@/lib/listings/schema.ts";
import { TEST_NOW } from "./app.ts";

/** A live listing as stored in KV, without optional fields. */
export function storedListing(slug: string, fields: Partial<StoredListing> = {}): StoredListing {
  return {
    slug,
    name: slug,
    url: `https://${slug}.example.com/`,
    tagline: "A project",
    category: null,
    tags: [],
    builtWith: [],
    pricing: null,
    accent: null,
    logoUrl: null,
    repoUrl: null,
    contactEmail: null,
    submittedBy: null,
    state: "live",
    keyHash: "",
    createdAt: TEST_NOW,
    updatedAt: TEST_NOW,
    ...fields,
  };
}
