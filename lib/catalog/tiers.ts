/** Perks as programs read them. The page that sells them uses plainer words. */
export const PERKS = {
  strip: "Featured strip and ticker on the home page",
  labeled: "promoted: true in the API, MCP and llms.txt",
  glow: "Accent glow",
  llms: "A place under Promoted in llms.txt",
  first: "First in the lists that agents read (trending, where_to_promote)",
} as const;

/** The promotion tiers, cheapest first. Prices come only from here. */
export const TIERS = [
  {
    id: "bump-3",
    name: "Bump",
    days: 3,
    amountCents: 500,
    autoRenew: null,
    perks: [PERKS.strip, PERKS.labeled],
  },
  {
    id: "boost-7",
    name: "Boost",
    days: 7,
    amountCents: 900,
    autoRenew: "week",
    perks: [PERKS.strip, PERKS.labeled, PERKS.glow, PERKS.llms],
  },
  {
    id: "spotlight-30",
    name: "Spotlight",
    days: 30,
    amountCents: 2500,
    autoRenew: "month",
    perks: [PERKS.strip, PERKS.labeled, PERKS.glow, PERKS.llms, PERKS.first],
  },
] as const satisfies readonly Tier[];

/** A tier as declared here. `autoRenew` is the billing interval; null if not offered. */
interface Tier {
  id: string;
  name: string;
  days: number;
  amountCents: number;
  autoRenew: "week" | "month" | null;
  perks: readonly string[];
}

/** The id of a tier. */
export type TierId = (typeof TIERS)[number]["id"];

/** The intervals at which tiers renew, with those tiers: `week (Boost) or month (Spotlight)`. */
export function renewals(field: "id" | "name"): string {
  return TIERS.filter(({ autoRenew }) => autoRenew !== null)
    .map((tier) => `${tier.autoRenew} (${tier[field]})`).join(" or ");
}

/** Tier ids, highest first: the order in which tiers are shown and their time is used up. */
export const TIER_RANK: readonly TierId[] = TIERS.map((tier) => tier.id).reverse();

/** The most listings in the featured strip at once. */
export const MAX_FEATURED_SLOTS = 12;

/** Whether a tier has a perk. */
export function hasPerk(tierId: string | undefined, perk: keyof typeof PERKS): boolean {
  return TIERS.some(({ id, perks }: Tier) => id === tierId && perks.includes(PERKS[perk]));
}

/** The tier with this id, or null. */
export function findTier(id: string): (typeof TIERS)[number] | null {
  return TIERS.find((tier) => tier.id === id) ?? null;
}
