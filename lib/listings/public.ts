import { parseAccent } from "../catalog/accents.ts";
import { isoTime } from "../clock.ts";
import { paths, type Urls } from "../urls.ts";
import type { PublicGem, PublicListing, PublicPromotion, StoredListing } from "./schema.ts";

/** What a public listing shows beside its stored record. Each part changes on its own. */
export interface ListingExtras {
  description: string | null;
  votes: number;
  clicks: number;
  /** Whether it holds the Front Row now. */
  sponsored: boolean;
  promotion: PublicPromotion | null;
  gem: PublicGem | null;
}

/** The extras of a listing of which nothing but its record is known. */
export const NO_EXTRAS: ListingExtras = {
  description: null,
  votes: 0,
  clicks: 0,
  sponsored: false,
  promotion: null,
  gem: null,
};

/**
 * Makes the public form of a stored listing. It names each field, so that no private one can leave.
 */
export function toPublicListing(
  stored: StoredListing,
  extras: ListingExtras,
  urls: Urls,
): PublicListing {
  const { slug } = stored;
  return {
    slug,
    name: stored.name,
    url: stored.url,
    tagline: stored.tagline,
    description: extras.description,
    category: stored.category,
    tags: stored.tags,
    builtWith: stored.builtWith,
    pricing: stored.pricing,
    accent: stored.accent,
    accentName: parseAccent(stored.accent ?? "")?.name ?? null,
    logoUrl: stored.logoUrl,
    repoUrl: stored.repoUrl,
    submittedBy: stored.submittedBy,
    votes: extras.votes,
    clicks: extras.clicks,
    promoted: extras.promotion !== null,
    sponsored: extras.sponsored,
    placement: extras.sponsored ? "front-row" : null,
    promotion: extras.promotion,
    gem: extras.gem,
    createdAt: isoTime(stored.createdAt),
    updatedAt: isoTime(stored.updatedAt),
    page: urls.to(paths.listing(slug)),
    goUrl: urls.to(paths.go(slug)),
    apiUrl: urls.to(paths.apiListing(slug)),
    badgeUrl: urls.to(paths.badge(slug)),
  };
}
