import type { CatalogueListing } from "./catalogue_types.ts";

/** The fields of a listing that lists are filtered by. */
export const FIELDS = ["category", "tool", "pricing", "tag"] as const;

/** The fields and values that a listing is found under. */
export function* filedUnder(
  listing: CatalogueListing,
): Generator<[(typeof FIELDS)[number], string]> {
  if (listing.category !== null) yield ["category", listing.category];
  if (listing.pricing !== null) yield ["pricing", listing.pricing];
  for (const tool of listing.builtWith) yield ["tool", tool];
  for (const tag of listing.tags) yield ["tag", tag];
}
