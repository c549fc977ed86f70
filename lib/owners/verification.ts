/** Proof of ownership: who publishes a token at a listing's own address gets a new edit key for it. */
import { z } from "zod";
import { DAY_MS } from "../clock.ts";
import { editKeyFor, OwnEditKey } from "../entries/edit_key.ts";
import { noEntry } from "../entries/entries.ts";
import { DomainError } from "../errors.ts";
import type { Fetcher } from "../fetching/fetcher.ts";
import type { Caller } from "../http/caller.ts";
import { parseInput } from "../http/input.ts";
import { rateLimitQueue, spend } from "../http/rate_limit.ts";
import type { Tx } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import type { PublicListing, StoredListing } from "../listings/schema.ts";
import { getListing, type ListingPayload, writeListing } from "../listings/service.ts";
import { provenBy } from "../listings/verified.ts";
import { notify } from "../notices/outbox.ts";
import type { Deps } from "./deps.ts";
import { ownerKeys, type OwnershipCheck } from "./keys.ts";
import { lookAt, type Place, placesOf, tokenOf } from "./places.ts";

const WEEK_MS = 7 * DAY_MS;
/** How many failures in a row end a proof. */
const FAILURES_MAX = 3;
/** How many proofs one run looks at. */
const CHECKS_A_RUN = 20;

const RequiredKey = z.object({ editKey: OwnEditKey.pipe(z.string("Is required")) });

/** What someone who claims a listing needs. */
export interface Claim {
  editKey: string;
  token: string;
  places: Place[];
}

/**
 * Begins a claim with a new edit key, or the claimant's own. Nothing is stored: the token follows from
 * slug and key, and the key opens nothing until it is proven. Throws `not_found`,
 * `fetcher_unavailable`, and `invalid_input` if no place can prove anything.
 */
export async function startClaim(
  deps: Deps,
  { slug, editKey: own }: { slug: string; editKey: string | null },
): Promise<Claim> {
  const listing = await getListing(deps, slug);
  requireFetcher(deps);
  const { editKey, keyHash } = editKeyFor({ editKey: own });
  const token = tokenOf(slug, keyHash);
  return { editKey, token, places: provingPlaces(deps, listing, token) };
}

/**
 * Looks for the token of an edit key. If a place has it, the listing's owner is verified and the key
 * becomes its edit key, in place of any other. Throws `not_found`, `rate_limited`,
 * `fetcher_unavailable`, `invalid_input`, `ownership_not_proven` with what was found at each place.
 */
export async function proveOwnership(
  deps: Deps,
  { slug, editKey, caller: { network } }: { slug: string; editKey: string; caller: Caller },
): Promise<PublicListing> {
  const { store, clock } = deps;
  const { url } = await getListing(deps, slug);
  const fetcher = requireFetcher(deps);
  const { keyHash } = editKeyFor(parseInput(RequiredKey, { editKey }));
  const places = provingPlaces(deps, { slug, url }, tokenOf(slug, keyHash));
  const now = clock.now();
  await store.transact((tx) => spend(tx, { bucket: "ownershipChecks", network, now }), {
    queue: rateLimitQueue("ownershipChecks", network),
  });
  const found = await lookAt(fetcher, places).catch((cause) => {
    throw new DomainError("fetcher_unavailable", undefined, { cause });
  });
  if (found.proof === null) {
    const details = found.fruitless.map(({ value: _, ...place }) => place);
    throw new DomainError("ownership_not_proven", details);
  }
  const { method } = found.proof;
  await store.transact(async (tx) => {
    const { listing, description } = await readListing(tx, slug);
    if (listing?.state !== "live") throw noEntry("listing");
    // It leads elsewhere by now, so nothing is proven of it.
    if (listing.url !== url) throw unprovable("The URL was changed during the check. Start again");
    const domain = provenBy(url, method)!;
    const before = listing.verified;
    const hasKey = JSON.stringify({ ...listing, keyHash }) === JSON.stringify(listing);
    if (hasKey && before?.domain === domain && before.method === method) return;
    // Another key is another owner. The private addresses of the one before hear of it a last time.
    const others = hasKey ? {} : { contactEmail: null, notifyUrl: null };
    const verified = { method, domain, since: now };
    const proven: StoredListing = { ...listing, ...others, keyHash, verified };
    writeListing(tx, { listing: proven, description }, "verified");
    if (!hasKey) await notify(tx, slug, { type: "key_replaced" });
    tx.set(ownerKeys.check(slug), { dueAt: now + WEEK_MS, failures: 0 } satisfies OwnershipCheck);
  });
  return await getListing(deps, slug);
}

/**
 * Looks again at the proofs that are due, each at its own place. After three failures in a row one
 * lapses; its owner keeps the edit key. False if there was nothing to do.
 */
export async function recheckOwners(deps: Deps, now: number): Promise<boolean> {
  const { store, fetcher } = deps;
  if (fetcher === null) return false;
  const due: Deno.KvEntry<OwnershipCheck>[] = [];
  for await (const entry of store.list<OwnershipCheck>({ prefix: ownerKeys.checks })) {
    if (entry.value.dueAt <= now && due.length < CHECKS_A_RUN) due.push(entry);
  }
  // One after another: many may be on one host, which the fetcher asks once a second.
  for (const known of due) await recheck(deps, fetcher, { known, now });
  return due.length > 0;
}

async function recheck(
  deps: Deps,
  fetcher: Fetcher,
  { known, now }: { known: Deno.KvEntry<OwnershipCheck>; now: number },
): Promise<void> {
  const { store, urls } = deps;
  const slug = known.key[1] as string;
  const { value: listing } = await store.get<StoredListing>(listingKeys.one(slug));
  const method = listing?.verified?.method;
  const place = method && placesOf(listing!, tokenOf(slug, listing!.keyHash), urls)
    .find((place) => place.method === method);
  const isThere = place !== undefined && (await lookAt(fetcher, [place])).proof !== null;
  await store.transact(async (tx) => {
    const { versionstamp } = await tx.get(known.key);
    // Another process has looked meanwhile, or the proof was given anew.
    if (versionstamp !== known.versionstamp) return;
    const { listing, description } = await readListing(tx, slug);
    if (listing?.verified === undefined) return tx.delete(known.key);
    const failures = isThere ? 0 : known.value.failures + 1;
    if (failures < FAILURES_MAX) return tx.set(known.key, { dueAt: now + WEEK_MS, failures });
    tx.delete(known.key);
    const { verified: _, ...lapsed } = listing;
    const event = listing.state === "live" ? "verification_lapsed" : "submitted";
    writeListing(tx, { listing: lapsed, description }, event);
    await notify(tx, slug, { type: "verification_lapsed", domain: listing.verified.domain });
  });
}

/** A listing in any state; null where there is none. */
async function readListing(
  tx: Tx,
  slug: string,
): Promise<Pick<ListingPayload, "description"> & { listing: StoredListing | null }> {
  const [record, text] = await tx.getMany<unknown>([
    listingKeys.one(slug),
    listingKeys.description(slug),
  ]);
  return {
    listing: record!.value as StoredListing | null,
    description: text!.value as string | null,
  };
}

function requireFetcher({ fetcher }: Deps): Fetcher {
  if (fetcher === null) throw new DomainError("fetcher_unavailable");
  return fetcher;
}

/** Throws `invalid_input` for an address that no token can prove anything about. */
function provingPlaces(
  { urls }: Deps,
  listing: Pick<StoredListing, "slug" | "url">,
  token: string,
): Place[] {
  const places = placesOf(listing, token, urls);
  if (places.length > 0) return places;
  throw unprovable(
    "Nothing can be proven of this URL. On a host of code, list the repository's own address",
  );
}

function unprovable(message: string): DomainError {
  return new DomainError("invalid_input", [{ field: "slug", message }]);
}
