/**
 * Proof of ownership: anyone who publishes a token at an entry's own URL gets a new edit key for
 * it. That is the URL of a listing, and the source of a skill.
 */
import { z } from "zod";
import { DAY_MS } from "../clock.ts";
import { createEditKey, isSameKey, noEditKey, OwnEditKey } from "../entries/edit_key.ts";
import {
  type EntryKind,
  type EntryRef,
  eventOf,
  noEntry,
  refused,
  requireLive,
} from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import {
  isStillProven,
  provenBy,
  type PublicVerified,
  publicVerified,
} from "../entries/verified.ts";
import { DomainError } from "../errors.ts";
import type { Fetcher } from "../fetching/fetcher.ts";
import type { Caller } from "../http/caller.ts";
import { parseInput } from "../http/input.ts";
import { rateLimitQueue, spend } from "../http/rate_limit.ts";
import { isDue } from "../job_due.ts";
import type { Tx } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { writeListing } from "../listings/service.ts";
import { notify } from "../notices/outbox.ts";
import type { StoredSkill } from "../skills/schema.ts";
import { writeSkill } from "../skills/service.ts";
import type { Deps } from "./deps.ts";
import { ownerKeys, type OwnershipCheck } from "./keys.ts";
import { type Claimable, lookAt, type Place, placesOf, tokenOf } from "./places.ts";

const WEEK_MS = 7 * DAY_MS;
/** How many failures in a row end a proof. */
const FAILURES_MAX = 3;
/** How many proofs each run checks. */
const CHECKS_A_RUN = 20;

const RequiredKey = z.object({ editKey: OwnEditKey.pipe(z.string("Required")) });

/** What someone needs to claim an entry. */
export type Claim = Awaited<ReturnType<typeof startClaim>>;

/** An entry's record. */
export type StoredRecord = StoredListing | StoredSkill;

/**
 * Begins a claim with a new edit key, or the claimant's own. Nothing is stored: the token follows
 * from slug and key, and the key opens nothing until it is proven. Throws `not_found`,
 * `fetcher_unavailable`, and `invalid_input` if no place can prove anything.
 */
export async function startClaim(
  deps: Deps,
  { editKey: own, ...claimed }: EntryRef & { editKey: string | null },
) {
  const entry = await readClaimable(deps, claimed);
  requireFetcher(deps);
  const { editKey, keyHash } = createEditKey(own);
  const token = tokenOf(entry, keyHash);
  const places = provingPlaces(deps, entry, token).map(({ value: _, ...place }) => place);
  return { editKey, token, places };
}

/**
 * Looks for an edit key's token. If a place has it, the entry's owner is verified and the key
 * replaces any previous edit key. Returns the proof. Throws `not_found`, `rate_limited`,
 * `fetcher_unavailable`, `bad_edit_key`, `invalid_input`, and `ownership_not_proven` with what was
 * found at each place.
 */
export async function proveOwnership(
  deps: Deps,
  { editKey, caller: { network }, ...claimed }: EntryRef & { editKey: string; caller: Caller },
): Promise<PublicVerified> {
  const { store, clock } = deps;
  const { kind, slug } = claimed;
  const entry = await readClaimable(deps, claimed);
  const fetcher = requireFetcher(deps);
  if (editKey === "") throw noEditKey();
  const { keyHash } = createEditKey(parseInput(RequiredKey, { editKey }).editKey);
  const places = provingPlaces(deps, entry, tokenOf(entry, keyHash));
  const now = clock.now();
  await store.transact((tx) => spend(tx, { bucket: "ownershipChecks", network, now }), {
    queue: rateLimitQueue("ownershipChecks", network),
  });
  const found = await lookAt(fetcher, places).catch((cause) => {
    throw new DomainError("fetcher_unavailable", undefined, { cause });
  });
  if (found.proof === null) throw new DomainError("ownership_not_proven", found.fruitless);
  const { method } = found.proof;
  return await store.transact(async (tx) => {
    const { value: stored } = await tx.get<StoredRecord>(entryKey(kind, slug));
    if (stored?.state !== "live") throw noEntry(kind);
    // The entry's URL has since changed, so nothing is proven about it.
    if (urlOf(stored) !== entry.url) {
      throw refused("The URL was changed during the check. Start again");
    }
    const domain = provenBy(entry.url, method)!;
    const before = stored.verified;
    const hasKey = isSameKey(stored.keyHash, keyHash);
    if (hasKey && before?.domain === domain && before.method === method) {
      return publicVerified(before);
    }
    // Another key means another owner. The previous owner's private addresses get one last notice.
    const others = hasKey || kind === "skill" ? {} : { contactEmail: null, notifyUrl: null };
    const verified = { method, domain, since: now };
    await writeEntry(tx, kind, { ...stored, ...others, keyHash, verified }, "verified");
    if (!hasKey && kind === "listing") await notify(tx, slug, { type: "key_replaced" });
    const check: OwnershipCheck = { dueAt: now + WEEK_MS, failures: 0 };
    tx.set(ownerKeys.check(kind, slug), check);
    return publicVerified(verified);
  });
}

/**
 * Checks due proofs again, each where it was found. After three failures in a row a proof lapses;
 * its owner keeps the edit key. Returns false if there was nothing to do.
 */
export async function recheckOwners(deps: Deps, now: number): Promise<boolean> {
  const { store, fetcher } = deps;
  if (fetcher === null) return false;
  const due: { kind: EntryKind; known: Deno.KvEntry<OwnershipCheck> }[] = [];
  for (const kind of ["listing", "skill"] as const) {
    for await (const known of store.list<OwnershipCheck>({ prefix: ownerKeys.checks[kind] })) {
      if (isDue(known.value.dueAt, now, WEEK_MS) && due.length < CHECKS_A_RUN) {
        due.push({ kind, known });
      }
    }
  }
  // One by one: many may be on one host, which the fetcher contacts once a second.
  for (const one of due) await recheck(deps, fetcher, { ...one, now });
  return due.length > 0;
}

async function recheck(
  deps: Deps,
  fetcher: Fetcher,
  { kind, known, now }: { kind: EntryKind; known: Deno.KvEntry<OwnershipCheck>; now: number },
): Promise<void> {
  const { store } = deps;
  const slug = known.key[1] as string;
  const { value } = await store.get<StoredRecord>(entryKey(kind, slug));
  const place = value === null ? undefined : placeOfProof(deps, kind, value);
  const looked = place && await lookAt(fetcher, [place]);
  const isUnread = looked?.proof === null && looked.isUnread;
  await store.transact(async (tx) => {
    const { versionstamp } = await tx.get(known.key);
    // Another process has since checked it, or the proof was renewed.
    if (versionstamp !== known.versionstamp) return;
    const { value: stored } = await tx.get<StoredRecord>(entryKey(kind, slug));
    if (stored?.verified === undefined) return tx.delete(known.key);
    if (isUnread) return tx.set(known.key, { ...known.value, dueAt: now + DAY_MS });
    const failures = looked?.proof ? 0 : known.value.failures + 1;
    if (failures < FAILURES_MAX) return tx.set(known.key, { dueAt: now + WEEK_MS, failures });
    await endProof(tx, kind, stored);
    if (kind === "skill") return;
    await notify(tx, slug, { type: "verification_lapsed", domain: stored.verified.domain });
  });
}

/** The place of an entry's proof. */
function placeOfProof({ urls }: Deps, kind: EntryKind, stored: StoredRecord): Place | undefined {
  const { slug, keyHash, verified } = stored;
  const url = urlOf(stored);
  if (verified === undefined || !isStillProven(url, verified)) return undefined;
  const entry = { kind, slug, url: url! };
  return placesOf(entry, tokenOf(entry, keyHash), urls)
    .find(({ method }) => method === verified.method);
}

/** Ends an entry's proof, if it has one. The entry is written as given. */
export async function endProof(
  tx: Tx,
  kind: EntryKind,
  { verified: _, ...unproven }: StoredRecord,
): Promise<void> {
  tx.delete(ownerKeys.check(kind, unproven.slug));
  await writeEntry(tx, kind, unproven, eventOf(unproven, "verification_lapsed"));
}

/** Writes an entry of either kind and its log entry. A listing keeps its description. */
export async function writeEntry(
  tx: Tx,
  kind: EntryKind,
  entry: StoredRecord,
  event: string,
): Promise<void> {
  if (kind === "skill") return writeSkill(tx, entry as StoredSkill, event);
  const { value: description } = await tx.get<string>(listingKeys.description(entry.slug));
  writeListing(tx, { listing: entry as StoredListing, description }, event);
}

function requireFetcher({ fetcher }: Deps): Fetcher {
  if (fetcher === null) throw new DomainError("fetcher_unavailable");
  return fetcher;
}

/**
 * A live entry with its own URL. Throws `not_found`, and `invalid_input` for a skill without one.
 */
async function readClaimable({ store }: Deps, { kind, slug }: EntryRef): Promise<Claimable> {
  const url = urlOf(requireLive<StoredRecord>(await store.get(entryKey(kind, slug)), kind));
  if (url === null) {
    throw refused("This skill has no source URL, so its ownership can't be verified");
  }
  return { kind, slug, url };
}

function urlOf(entry: StoredRecord): string | null {
  return "sourceUrl" in entry ? entry.sourceUrl : entry.url;
}

/** Throws `invalid_input` if no token can prove anything about the URL. */
function provingPlaces({ urls }: Deps, entry: Claimable, token: string): Place[] {
  const places = placesOf(entry, token, urls);
  if (places.length > 0) return places;
  throw refused(
    "Ownership can't be verified at this URL. On a code host, use the URL of the repository itself",
  );
}
