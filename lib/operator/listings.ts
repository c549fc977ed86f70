import { eventOf, refused } from "../entries/entries.ts";
import { type DomainError, notFound } from "../errors.ts";
import type { Tx } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import type { ListingPayload, StoredListing } from "../listings/schema.ts";
import { readPayload, releaseUrl, writeListing } from "../listings/service.ts";
import { dropNotices, notify } from "../notices/outbox.ts";
import { promotionKeys } from "../promotions/keys.ts";
import { cancelRenewals, liveSubscriptions } from "../promotions/subscriptions.ts";
import { urlKey } from "../text/url_identity.ts";
import type { Deps } from "./deps.ts";

type State = StoredListing["state"];

/** The steps by which an operator changes a listing's state. */
export const LISTING_STEPS = {
  approve: { from: ["pending"], to: "live", event: "approved", done: "live" },
  refuse: { from: ["pending"], to: "hidden", event: "refused", done: "refused" },
  hide: { from: ["live", "pending"], to: "hidden", event: "hidden", done: "hidden" },
  unhide: { from: ["hidden"], to: "live", event: "unhidden", done: "live" },
  requeue: { from: ["live", "hidden"], to: "pending", event: "requeued", done: "pending" },
} as const satisfies Record<
  string,
  { from: readonly State[]; to: State; event: string; done: string }
>;

/** The name of a step. */
export type ListingStep = keyof typeof LISTING_STEPS;

/** The step that returns a listing to its state before `step`. */
export async function stepBack(
  { store }: Deps,
  { slug, step }: { slug: string; step: ListingStep },
): Promise<ListingStep> {
  const { value } = await store.get<StoredListing>(listingKeys.one(slug));
  if (value?.state === "pending") return "requeue";
  if (value?.state === "hidden") return "hide";
  return step === "hide" ? "unhide" : "approve";
}

/** A listing in any state, to change it. Throws `not_found`. */
export async function requireListing(tx: Tx, slug: string): Promise<ListingPayload> {
  const payload = await readPayload(tx, slug);
  if (payload === null) throw noListing(slug);
  return payload;
}

/**
 * Takes a listing through a step, in one transaction with its log entry. Returns false if it is
 * already in the wanted state. A listing that was never public counts as created when it goes live.
 * A hidden one keeps its URL and slug, its renewals are canceled, and its owner is told, with the
 * reason. Throws `not_found`, and `invalid_input` if the step doesn't apply to the listing's state,
 * or another listing has its URL by now.
 */
export function moveListing(
  deps: Deps,
  options: { slug: string; step: ListingStep; reason?: string },
): Promise<boolean> {
  const { slug, step, reason = "other" } = options;
  const { from, to } = LISTING_STEPS[step];
  return deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const { listing: before, description } = await requireListing(tx, slug);
    const isRefusal = step === "refuse" && !before.wasRefused;
    if (before.state === to && !isRefusal) return false;
    if (!(from as readonly string[]).includes(before.state)) {
      throw refused(
        `${slug} is ${before.state}, but ${step} is for ${from.join(" and ")} listings`,
      );
    }
    if (before.state === "hidden") await holdUrl(tx, before);
    const wasPublic = before.state !== "pending" && !before.wasRefused;
    const dates = wasPublic || to !== "live" ? {} : { createdAt: now, updatedAt: now };
    const wasRefused = to === "hidden" && !wasPublic;
    const listing: StoredListing = { ...before, ...dates, state: to, wasRefused };
    writeListing(tx, { listing, description }, changeBy(step, before, wasPublic));
    // A running server sees it and cancels them at the provider right away; the outbox makes sure
    // of it.
    if (to !== "live") await cancelRenewals(tx, slug);
    if (to === "hidden") await notify(tx, slug, { type: "hidden", reason });
    if (to === "live") await notify(tx, slug, { type: "live" });
    return true;
  });
}

/**
 * A step's name in the change log. A listing that was never public leaves no tombstone there.
 */
function changeBy(step: ListingStep, before: StoredListing, wasPublic: boolean): string {
  if (step === "requeue") return eventOf(before, "hidden");
  return LISTING_STEPS[step === "hide" && !wasPublic ? "refuse" : step].event;
}

/**
 * Frees the URL of a hidden listing; its slug stays taken. False if the listing no longer has the
 * URL. Throws `not_found`, and `invalid_input` for a listing that isn't hidden.
 */
export function freeUrl(deps: Deps, slug: string): Promise<boolean> {
  return deps.store.transact(async (tx) => {
    const { value: listing } = await tx.get<StoredListing>(listingKeys.one(slug));
    if (listing === null) throw noListing(slug);
    if (listing.state !== "hidden") {
      throw refused(`${slug} is ${listing.state}, but only a hidden listing's URL can be freed`);
    }
    return await releaseUrl(tx, listing);
  });
}

/**
 * Reserves a listing's URL for it, if it is free. Throws `invalid_input` if another listing has it
 * now.
 */
export async function holdUrl(tx: Tx, { slug, url }: StoredListing): Promise<void> {
  const held = await tx.get<string>(listingKeys.byUrl(urlKey(url)));
  if (held.value === null) tx.set(held.key, slug);
  else if (held.value !== slug) throw refused(`The URL of ${slug} is now listed as ${held.value}`);
}

/**
 * Deletes what names a listing's submitter, in any state: the private email and notice address, and
 * the public name. False if it has none of them. Throws `not_found`.
 */
export function forgetSubmitter(deps: Deps, slug: string): Promise<boolean> {
  return deps.store.transact(async (tx) => {
    const { listing: before, description } = await requireListing(tx, slug);
    const { contactEmail, submittedBy, notifyUrl } = before;
    if (!contactEmail && !submittedBy && !notifyUrl) return false;
    await dropNotices(tx, slug);
    const listing = {
      ...before,
      contactEmail: null,
      notifyUrl: null,
      submittedBy: null,
      signedBy: undefined,
      updatedAt: deps.clock.now(),
    };
    writeListing(tx, { listing, description }, eventOf(before, "updated"));
    return true;
  });
}

/**
 * A listing as the operator sees it: with the private email, what was bought, what renews and who
 * paid, but without the hash of the key. Throws `not_found`.
 */
export async function showListing(deps: Deps, slug: string): Promise<Record<string, unknown>> {
  const [record, text, gem, promotion, billing] = await deps.store.getMany<unknown>([
    listingKeys.one(slug),
    listingKeys.description(slug),
    listingKeys.gem(slug),
    promotionKeys.one(slug),
    promotionKeys.billing(slug),
  ]);
  if (record!.value === null) throw noListing(slug);
  const { keyHash: _, ...listing } = record!.value as StoredListing;
  return {
    ...listing,
    description: text!.value,
    gem: gem!.value,
    promotion: promotion!.value,
    renewals: await liveSubscriptions(deps.store, slug),
    billing: billing!.value,
  };
}

function noListing(slug: string): DomainError {
  return notFound(`There is no listing with the slug ${slug}`);
}
