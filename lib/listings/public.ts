import { parseAccent } from "../catalog/accents.ts";
import { findTier } from "../catalog/tiers.ts";
import { isoTime } from "../clock.ts";
import { publicVerified } from "../entries/verified.ts";
import { paths, type Urls } from "../urls.ts";
import { publicHealth } from "./health.ts";
import type { ListingRow } from "./row.ts";
import type { StoredListing } from "./schema.ts";

/**
 * The first part of the public form, which only an edit changes. It names each field, so no private
 * one can leak.
 */
export function contentOf(stored: StoredListing, description: string | null) {
  return {
    slug: stored.slug,
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
    linkCheck: stored.linkCheck ?? null,
    signedBy: stored.signedBy ?? null,
    verified: stored.verified ? publicVerified(stored.verified) : null,
  };
}

/** The other part: what changes with votes, visits and time, plus addresses. */
export function liveOf(row: ListingRow, urls: Urls) {
  const { slug, votes, uses, placement, health, createdAt, updatedAt } = row;
  const { promotion = null, sponsored = false, gem = null } = placement ?? {};
  const created = isoTime(createdAt);
  return {
    votes,
    clicks: uses,
    promoted: promotion !== null,
    sponsored,
    placement: sponsored ? "front-row" as const : null,
    promotion: promotion && {
      tierId: promotion.tierId,
      name: findTier(promotion.tierId)!.name,
      endsAt: isoTime(promotion.endsAt),
    },
    gem: gem && { note: gem.note, since: isoTime(gem.since) },
    health: publicHealth(health),
    createdAt: created,
    // Most are never edited, and formatting times takes longer than the rest of a row.
    updatedAt: updatedAt === createdAt ? created : isoTime(updatedAt),
    page: urls.to(paths.listing(slug)),
    goUrl: urls.to(paths.go(slug)),
    apiUrl: urls.to(paths.apiListing(slug)),
    badgeUrl: urls.to(paths.badge(slug)),
  };
}
