import { entryKey, entryKeys } from "../entries/keys.ts";

/**
 * Keys of listings; those of records are in `lib/entries/keys.ts`, of votes in
 * `lib/votes/keys.ts`.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["listing_descriptions", slug] | string; absent when there is none | create, edit |
 * | ["listings_by_url", digest of the URL's identity] | slug; a hidden listing's may be freed | create, edit, operator |
 * | ["listing_suffixes", slug base] | next number to try for a name taken before | create |
 * | ["listing_click_counts", slug] | u64 | visits |
 * | ["listing_click_days", slug, UTC day, visitor class] | u64: clicks on that day | visits |
 * | ["daily_counts_since"] | the first UTC day whose clicks and votes are counted by day | `noteDailyCounts`, at startup |
 * | ["listing_visits", slug, network or IPv6 /48] | `Visits` of the last day, at most 100; expires | visits |
 * | ["listing_gems", slug] | `StoredGem` | the scout, operator |
 * | ["listing_links", slug] | `StoredHealth` | check-links |
 * | ["link_check_run"] | when the last run began (ms) | check-links |
 * | ["dropped_gems", slug] | time (ms) at which the operator dropped it; expires | operator |
 * | ["listing_logos", slug] | `StoredLogo` | the job that copies logos; edit and withdrawal delete it |
 * | ["listing_logo_count"] | how many of them there are | the same |
 * | ["logo_jobs", time (ms) at which it is due, slug] | `LogoJob` | create, edit, the job |
 * | ["gem_scouts", UTC day] | true once the scout has picked; expires | the scout |
 */
export const listingKeys = {
  all: entryKeys.listing,
  one: (slug: string) => entryKey("listing", slug),
  description: (slug: string) => ["listing_descriptions", slug],
  descriptions: ["listing_descriptions"],
  byUrl: (digest: string) => ["listings_by_url", digest],
  allByUrl: ["listings_by_url"],
  suffix: (base: string) => ["listing_suffixes", base],
  clicks: (slug: string) => ["listing_click_counts", slug],
  allClicks: ["listing_click_counts"],
  clickDay: (slug: string, day: string, visitorClass: string) => [
    "listing_click_days",
    slug,
    day,
    visitorClass,
  ],
  clickDays: (slug: string) => ["listing_click_days", slug],
  dailyCountsSince: ["daily_counts_since"],
  visits: (slug: string, holder: string) => ["listing_visits", slug, holder],
  gem: (slug: string) => ["listing_gems", slug],
  gems: ["listing_gems"],
  health: (slug: string) => ["listing_links", slug],
  healths: ["listing_links"],
  linkRun: ["link_check_run"],
  droppedGem: (slug: string) => ["dropped_gems", slug],
  droppedGems: ["dropped_gems"],
  logo: (slug: string) => ["listing_logos", slug],
  logoCount: ["listing_logo_count"],
  logoJob: (dueAt: number, slug: string) => ["logo_jobs", dueAt, slug],
  logoJobs: ["logo_jobs"],
  gemScout: (day: string) => ["gem_scouts", day],
} as const;
