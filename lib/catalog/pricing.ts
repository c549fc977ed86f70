import { z } from "zod";

/** The words that people see for each pricing model. */
const names = {
  "free": "Free",
  "freemium": "Freemium",
  "paid": "Paid",
  "open-source": "Open source",
  "contact": "Contact for pricing",
};

/** Slugs of the pricing models of a listing. */
export const pricingSlug = z.enum(Object.keys(names) as (keyof typeof names)[]);

/** Slug of a pricing model. */
type PricingSlug = z.infer<typeof pricingSlug>;

/** The pricing models, in the order of {@link pricingSlug}. */
export const pricingModels = Object.freeze(
  pricingSlug.options.map((slug) => Object.freeze({ slug, name: names[slug] })),
);

/** What people call a pricing model. */
export function nameOfPrice(slug: PricingSlug): string {
  return names[slug];
}
