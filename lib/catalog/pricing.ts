import { z } from "zod";

/** Slugs of the pricing models of a listing. */
export const pricingSlug = z.enum(["free", "freemium", "paid", "open-source", "contact"]);

/** Slug of a pricing model. */
type PricingSlug = z.infer<typeof pricingSlug>;

/** One pricing model: its slug and the words that people see. */
interface PricingModel {
  readonly slug: PricingSlug;
  readonly name: string;
}

const names: Readonly<Record<PricingSlug, string>> = {
  "free": "Free",
  "freemium": "Freemium",
  "paid": "Paid",
  "open-source": "Open source",
  "contact": "Contact for pricing",
};

/** The pricing models, in the order of {@link pricingSlug}. */
export const pricingModels: readonly PricingModel[] = Object.freeze(
  pricingSlug.options.map((slug) => Object.freeze({ slug, name: names[slug] })),
);

/** What people call a pricing model. */
export function nameOfPrice(slug: PricingSlug): string {
  return names[slug];
}
