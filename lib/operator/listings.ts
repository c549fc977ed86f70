import type { Deps } from "../deps.ts";
import { DomainError } from "../errors.ts";
import { listingKeys } from "../listings/keys.ts";
import type { ListingState, StoredGem, StoredListing } from "../listings/schema.ts";
import { writeListing } from "../listings/service.ts";

/** The steps that an operator takes a listing through, and where each leads. */
export const LISTING_STEPS = {
  approve: { from: ["pending"], to: "live", event: "approved" },
  refuse: { from: ["pending"], to: "hidden", event: "refused" },
  hide: { from: ["live", "pending"], to: "hidden", event: "hidden" },
  unhide: { from: ["hidden"], to: "live", event: "unhidden" },
} as const satisfies Record<
  string,
  { from: readonly ListingState[]; to: ListingState; event: string }
>;

/** The name of a step. */
export type ListingStep = keyof typeof LISTING_STEPS;

/**
 * Takes a listing through a step, in one transaction with its log entry. One that has arrived already stays
 * as it is (false). An approved listing counts as created now, when it becomes public. A hidden one keeps
 * its URL and its slug. Throws `not_found`, and `invalid_input` for a step that does not start where it is.
 */
export function moveListing(
  deps: Deps,
  options: { slug: string; step: ListingStep },
): Promise<boolean> {
  const { slug, step } = options;
  const { from, to, event } = LISTING_STEPS[step];
  return deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const [record, text] = await tx.getMany<unknown>([
      listingKeys.one(slug),
      listingKeys.description(slug),
    ]);
    const before = record!.value as StoredListing | null;
    if (before === null) throw noListing(slug);
    if (before.state === to) return false;
    if (!(from as readonly string[]).includes(before.state)) {
      throw new DomainError("invalid_input", [{
        field: "slug",
        message: `${slug} is ${before.state}; ${step} is for ${from.join(" and ")} listings`,
      }]);
    }
    const createdAt = step === "approve" ? now : before.createdAt;
    const listing: StoredListing = { ...before, state: to, createdAt };
    writeListing(tx, { listing, description: text!.value as string | null }, event);
    return true;
  });
}

/** A listing as the operator sees it: the private address too, the key's hash not. Throws `not_found`. */
export async function showListing(deps: Deps, slug: string): Promise<Record<string, unknown>> {
  const [record, text, gem] = await deps.store.getMany<unknown>([
    listingKeys.one(slug),
    listingKeys.description(slug),
    listingKeys.gem(slug),
  ]);
  if (record!.value === null) throw noListing(slug);
  const { keyHash: _, ...listing } = record!.value as StoredListing;
  return { ...listing, description: text!.value, gem: gem!.value };
}

/** Listings in a state, the newest first. */
export async function listListings(
  deps: Deps,
  options: { state: ListingState; limit: number },
): Promise<{ listings: StoredListing[]; total: number }> {
  const found: StoredListing[] = [];
  for await (const { value } of deps.store.list<StoredListing>({ prefix: listingKeys.all })) {
    if (value.state === options.state) found.push(value);
  }
  found.sort((a, b) => b.createdAt - a.createdAt);
  return { listings: found.slice(0, options.limit), total: found.length };
}

/** Makes a live listing a gem with a note, or changes the note. Throws `not_found`. */
export function setGem(deps: Deps, options: { slug: string; note: string }): Promise<boolean> {
  const { slug, note } = options;
  return deps.store.transact(async (tx) => {
    const [record, gem] = await tx.getMany<unknown>([listingKeys.one(slug), listingKeys.gem(slug)]);
    if ((record!.value as StoredListing | null)?.state !== "live") throw noListing(slug);
    const before = gem!.value as StoredGem | null;
    if (before?.note === note) return false;
    const stored: StoredGem = { note, since: before?.since ?? deps.clock.now() };
    tx.set(listingKeys.gem(slug), stored);
    tx.change({ kind: "listing", slug, event: "gem" });
    return true;
  });
}

/** Ends a gem. False where there was none. */
export function dropGem(deps: Deps, slug: string): Promise<boolean> {
  return deps.store.transact(async (tx) => {
    if ((await tx.get(listingKeys.gem(slug))).value === null) return false;
    tx.delete(listingKeys.gem(slug));
    tx.change({ kind: "listing", slug, event: "gem_ended" });
    return true;
  });
}

function noListing(slug: string): DomainError {
  return new DomainError("not_found", undefined, { message: `No listing has the slug ${slug}` });
}
