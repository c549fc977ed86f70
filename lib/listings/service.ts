import { type Edit, type OwnerRequest, requireEntryKey } from "../entries/edit_key.ts";
import { eventOf, isSameRecord, noEntry, requireLive } from "../entries/entries.ts";
import { reservedSlugs } from "../entries/slugs.ts";
import { type NewEntry, previewSlug, reserve, submitEntry } from "../entries/submission.ts";
import { isStillProven } from "../entries/verified.ts";
import { DomainError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { rateLimitQueue, spend } from "../http/rate_limit.ts";
import { counterValue, pairValue, type Tx } from "../kv/store.ts";
import { slugBase } from "../text/slug.ts";
import { urlKey } from "../text/url_identity.ts";
import { voteKeys } from "../votes/keys.ts";
import type { Deps } from "./deps.ts";
import type { StoredHealth } from "./health.ts";
import { listingKeys } from "./keys.ts";
import { dropLogo, queueLogo } from "./logo.ts";
import { rowOf, toPublicListing } from "./row.ts";
import type {
  ListingInput,
  ListingPatch,
  ListingPayload,
  PublicListing,
  StoredGem,
  StoredListing,
} from "./schema.ts";

/** Lists a project, as `submitEntry` says; `pending` while it waits for the operator's approval. */
export function createListing(
  deps: Deps,
  options: { input: ListingInput; caller: Caller; idempotencyKey?: string | null },
) {
  const { input } = options;
  return submitEntry(deps, {
    ...options,
    ...neededBy(deps, input),
    repeated: (slug) => listedBefore(deps, slug),
    create(tx, own, review) {
      const payload = newListing(options, own, review ? "pending" : "live");
      writeListing(tx, payload, review ? "submitted" : "created");
      queueLogo(tx, payload.listing, own.now);
      return { project: toPublic(deps, payload), pending: review };
    },
  });
}

/** A listing that an earlier submission made; null if it has since been taken down. */
async function listedBefore(deps: Deps, slug: string) {
  const payload = (await readPayload(deps.store, slug))!;
  const { state } = payload.listing;
  if (state !== "live" && state !== "pending") return null;
  const project = deps.catalogue.get(slug) ?? toPublic(deps, payload);
  return { project, pending: state === "pending" };
}

/**
 * Shows what a submission would become, without writing or counting anything. Throws
 * `submissions_paused`, `duplicate_url`.
 */
export async function previewListing(
  deps: Deps,
  options: { input: ListingInput; caller: Caller },
): Promise<PublicListing> {
  const { input } = options;
  const slug = await previewSlug(deps, neededBy(deps, input));
  return toPublic(deps, newListing(options, { slug, keyHash: "", now: deps.clock.now() }, "live"));
}

/** What a new listing needs. */
function neededBy({ env }: Deps, { name, url }: ListingInput) {
  const base = slugBase(name, { reserved: reservedSlugs(env), fallback: "project" });
  return {
    kind: "listing",
    slugs: { base, recordKey: listingKeys.one, suffixKey: listingKeys.suffix },
    held: listingKeys.byUrl(urlKey(url)),
  } as const;
}

/** The record made from a submission. */
function newListing(
  { input, caller }: { input: ListingInput; caller: Caller },
  { now, ...own }: NewEntry,
  state: "live" | "pending",
): ListingPayload {
  const { description, editKey: _, ...fields } = input;
  const submittedBy = fields.submittedBy ?? caller.agentName;
  const listing = { ...fields, submittedBy, ...own, state, createdAt: now, updatedAt: now };
  return { listing, description };
}

/** The public form of a listing that the catalogue does not know yet. */
function toPublic({ urls }: Deps, { listing, description }: ListingPayload): PublicListing {
  const row = rowOf(listing, { votes: 0, uses: 0, description, health: null });
  return toPublicListing(row, urls);
}

/**
 * One live listing, from the catalogue, or from KV if the catalogue does not know it yet. Throws
 * `not_found`.
 */
export async function getListing(deps: Deps, slug: string): Promise<PublicListing> {
  return deps.catalogue.get(slug) ?? await readListing(deps, slug);
}

/**
 * A listing to edit: as everyone sees it, or null while it waits for review and only the holder of
 * its edit key can see it. Throws `not_found`.
 */
export async function getEditable(deps: Deps, slug: string): Promise<PublicListing | null> {
  const shown = deps.catalogue.get(slug);
  if (shown !== undefined) return shown;
  const { value } = await deps.store.get<StoredListing>(listingKeys.one(slug));
  return value?.state === "pending" ? null : await readListing(deps, slug);
}

/** The name of an editable listing, or its slug while it waits for review. Throws `not_found`. */
export async function nameOfEditable(deps: Deps, slug: string): Promise<string> {
  return (await getEditable(deps, slug))?.name ?? slug;
}

/**
 * A listing for a caller with its edit key, even while it waits for review. Throws `not_found`,
 * `bad_edit_key` (a hidden listing has no key), `rate_limited`.
 */
export async function getOwnListing(
  deps: Deps,
  options: OwnerRequest,
): Promise<PublicListing> {
  await requireEntryKey(deps.store, "listing", options);
  return toPublic(deps, (await readPayload(deps.store, options.slug))!);
}

/** A listing as stored, in any state; null if there is none. */
export async function readPayload(
  kv: Pick<Tx, "getMany">,
  slug: string,
): Promise<ListingPayload | null> {
  const [record, text] = await kv.getMany<unknown>([
    listingKeys.one(slug),
    listingKeys.description(slug),
  ]);
  const listing = record!.value as StoredListing | null;
  return listing && { listing, description: text!.value as string | null };
}

/**
 * Changes a listing. A new URL is reserved and the old one freed in the same transaction. Throws
 * `not_found`, `bad_edit_key` (a hidden listing has no key), `duplicate_url`, `rate_limited`, and
 * what `readPatch` and `requireCurrent` throw.
 */
export async function updateListing(deps: Deps, edit: Edit<ListingPatch>): Promise<PublicListing> {
  const { slug, caller, readPatch, requireCurrent } = edit;
  await requireEntryKey(deps.store, "listing", edit);
  const patch = await readPatch();
  const now = deps.clock.now();
  const stored = await deps.store.transact(async (tx) => {
    const { network } = caller;
    await spend(tx, { bucket: "edits", network, now });
    const known = await readPayload(tx, slug);
    if (known === null || known.listing.state === "withdrawn") throw noEntry("listing");
    const before = known.listing;
    if (before.state === "hidden") throw new DomainError("bad_edit_key");
    const { description = known.description, ...fields } = patch;
    const changed = { ...before, ...fields };
    if (isSameRecord(changed, before) && description === known.description) return known;
    requireCurrent?.(before.updatedAt);
    const listing: StoredListing = { ...changed, updatedAt: now };
    if (urlKey(listing.url) !== urlKey(before.url)) {
      await reserve(tx, listingKeys.byUrl(urlKey(listing.url)), { kind: "listing", slug });
      await releaseUrl(tx, before);
      delete listing.sameUrlAs;
    }
    if (listing.logoUrl !== before.logoUrl) {
      await dropLogo(tx, slug);
      queueLogo(tx, listing, now);
    }
    if (before.verified && !isStillProven(listing.url, before.verified)) delete listing.verified;
    writeListing(tx, { listing, description }, eventOf(listing, "updated"));
    return { listing, description };
  }, { queue: rateLimitQueue("edits", caller.network) });
  const shown = deps.catalogue.get(slug);
  if (shown !== undefined || stored.listing.state !== "live") {
    return shown ?? toPublic(deps, stored);
  }
  // It is already stored, so this must not fail.
  return await readListing(deps, slug).catch(() => toPublic(deps, stored));
}

/** True if a listing was hidden by the operator or withdrawn by its owner. */
export async function isTakenDown(kv: Pick<Tx, "get">, slug: string): Promise<boolean> {
  const { value } = await kv.get<StoredListing>(listingKeys.one(slug));
  return value?.state === "hidden" || value?.state === "withdrawn";
}

/** Writes a listing and its log entry. The payload saves this process's listeners a read. */
export function writeListing(tx: Tx, payload: ListingPayload, event: string): void {
  const { listing, description } = payload;
  tx.set(listingKeys.one(listing.slug), listing);
  const key = listingKeys.description(listing.slug);
  if (description === null) tx.delete(key);
  else tx.set(key, description);
  tx.change({ kind: "listing", slug: listing.slug, event }, payload);
}

/** Frees a listing's URL. False if the listing doesn't have it. */
export async function releaseUrl(tx: Tx, { slug, url }: StoredListing): Promise<boolean> {
  const held = await tx.get<string>(listingKeys.byUrl(urlKey(url)));
  if (held.value !== slug) return false;
  tx.delete(held.key);
  return true;
}

/** A live listing from KV, for a process that doesn't know it (yet). */
async function readListing(deps: Deps, slug: string): Promise<PublicListing> {
  const [entry, description, clicks, up, down, gem, health] = await deps.store.getMany<unknown>([
    listingKeys.one(slug),
    listingKeys.description(slug),
    listingKeys.clicks(slug),
    voteKeys.count("listing", slug, "up"),
    voteKeys.count("listing", slug, "down"),
    listingKeys.gem(slug),
    listingKeys.health(slug),
  ]);
  const stored = requireLive<StoredListing>(entry!, "listing");
  const row = rowOf(stored, {
    votes: pairValue(up!, down!),
    uses: counterValue(clicks!),
    description: description!.value as string | null,
    health: health!.value as StoredHealth | null,
  });
  row.placement = deps.catalogue.placementOf(slug, {
    createdAt: stored.createdAt,
    gem: gem!.value as StoredGem | null,
  }).placement;
  return toPublicListing(row, deps.urls);
}
