import type { PublicListing } from "../listings/schema.ts";
import type { Deps } from "./deps.ts";

/** The listing that holds the Front Row, or null. */
export function getFrontRow({ catalogue }: Pick<Deps, "catalogue">): PublicListing | null {
  return catalogue.frontRow === null ? null : catalogue.get(catalogue.frontRow) ?? null;
}
