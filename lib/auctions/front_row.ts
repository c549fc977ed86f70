import type { PublicListing } from "../listings/schema.ts";
import type { Deps } from "./deps.ts";

/** The Front Row listing, or null. */
export function getFrontRow({ catalogue }: Pick<Deps, "catalogue">): PublicListing | null {
  return catalogue.frontRow === null ? null : catalogue.get(catalogue.frontRow) ?? null;
}
