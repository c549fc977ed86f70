import { parseAccent } from "../catalog/accents.ts";
import { isoTime } from "../clock.ts";
import { paths, type Urls } from "../urls.ts";
import type { PublicListing, StoredListing } from "./schema.ts";

/** What a public listing shows beside its stored record. */
export interface ListingExtras {
  description?: string | null;
  votes?: number;
  clicks?: number;
}

/**
 * Makes the public form of a stored listing for which nothing was paid or picked; the catalogue
 * knows of what was. It names each field, so that no private one can leave.
 */
export function toPublicListing(
  stored: StoredListing,
  { description = null, votes = 0, clicks = 0 }: ListingExtras,
  urls: Urls,
): PublicListing {
  const { slug } = stored;
  return {
    slug,
    name: stored.name,
    url: stored.url,
    tagline: stored.tagline,
    description,
    category: stored.category,
    tags: stored.tags,
    builtWith: stored.builtWith,
    pricing: stored.pricing,
    accent: stored.accent,
    accentName: parseAccent(stored.accent ?? "")?.name ?? null,
    logoUrl: stored.logoUrl,
    repoUrl: stored.repoUrl,
    submittedBy: stored.submittedBy,
    votes,
    clicks,
    promoted: false,
    sponsored: false,
    placement: null,
    promotion: null,
    gem: null,
    createdAt: isoTime(stored.createdAt),
    updatedAt: isoTime(stored.updatedAt),
    page: urls.to(paths.listing(slug)),
    goUrl: urls.to(paths.go(slug)),
    apiUrl: urls.to(paths.apiListing(slug)),
    badgeUrl: urls.to(paths.badge(slug)),
  };
}
