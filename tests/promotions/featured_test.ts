import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { TIERS } from "@/lib/catalog/tiers.ts";
import { HOUR_MS } from "@/lib/clock.ts";
import { byPlaceInStrip } from "@/lib/listings/placements.ts";
import { featuredSlugs } from "@/lib/promotions/featured.ts";

const T0 = Date.parse("2026-11-20T12:00:00Z");

function candidates(counts: Record<string, number>) {
  return TIERS.flatMap((tier) =>
    Array.from({ length: counts[tier.id] ?? 0 }, (_, i) => ({
      slug: `${tier.id}-${i}`,
      tierId: tier.id,
      endsAt: T0 + (i + 1) * HOUR_MS * 24,
    }))
  );
}

Deno.test("featuredSlugs sorts by tier (spotlight, boost, bump), then earliest end, then slug", () => {
  const all = [
    ["e", "bump-3", 1],
    ["d", "boost-7", 2],
    ["c", "boost-7", 2],
    ["b", "boost-7", 3],
    ["f", "boost-7", 1],
    ["a", "spotlight-30", 4],
  ] as const;
  for (const candidates of [all, all.toReversed()]) {
    const shown = candidates.map(([slug, tierId, endsAt]) => ({ slug, tierId, endsAt }));
    assertEquals(featuredSlugs(shown.sort(byPlaceInStrip), T0), ["a", "f", "c", "d", "b", "e"]);
  }
});

Deno.test("twelve promotions of one tier keep their order from hour to hour", () => {
  const all = candidates({ "boost-7": 12 });
  for (const hour of [0, 1]) {
    assertEquals(featuredSlugs(all, T0 + hour * HOUR_MS), all.map(({ slug }) => slug));
  }
});

Deno.test("invariant 30: up to 12 are shown, and lower tiers only get what higher tiers leave", () => {
  fc.assert(
    fc.property(
      fc.nat(20),
      fc.nat(20),
      fc.nat(20),
      fc.nat(1000),
      (bump, boost, spotlight, hour) => {
        const all = candidates({ "bump-3": bump, "boost-7": boost, "spotlight-30": spotlight });
        const shown = featuredSlugs(all, T0 + hour * HOUR_MS);
        assertEquals(shown.length, Math.min(12, all.length));
        assertEquals(new Set(shown).size, shown.length);
        const count = (tier: string) => shown.filter((slug) => slug.startsWith(tier)).length;
        assertEquals(count("spotlight"), Math.min(12, spotlight));
        assertEquals(count("boost"), Math.min(12 - count("spotlight"), boost));
      },
    ),
  );
});

Deno.test("more than 12 promotions of one tier rotate hourly, each shown equally often", () => {
  const all = candidates({ "bump-3": 3, "boost-7": 17, "spotlight-30": 5 });
  const seen = new Map<string, number>();
  for (let hour = 0; hour < 17; hour++) {
    const shown = featuredSlugs(all, T0 + hour * HOUR_MS);
    assertEquals(shown, featuredSlugs(all, T0 + hour * HOUR_MS + HOUR_MS - 1));
    for (const slug of shown) seen.set(slug, (seen.get(slug) ?? 0) + 1);
  }
  for (let i = 0; i < 17; i++) assertEquals(seen.get(`boost-7-${i}`), 7);
  for (let i = 0; i < 5; i++) assertEquals(seen.get(`spotlight-30-${i}`), 17);
  assert(![...seen.keys()].some((slug) => slug.startsWith("bump")));
});
