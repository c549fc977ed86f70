/** Withdrawal: an owner permanently removes an entry, using its edit key. */
import { withdrawBid } from "../auctions/withdrawal.ts";
import type { Core } from "../core.ts";
import { type OwnerRequest, requireEntryKey } from "../entries/edit_key.ts";
import { type EntryKind, eventOf, noEntry } from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import { DomainError } from "../errors.ts";
import type { Tx } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import { dropLogo } from "../listings/logo.ts";
import type { StoredListing } from "../listings/schema.ts";
import { releaseUrl, writeListing } from "../listings/service.ts";
import { dropNotices } from "../notices/outbox.ts";
import { cancelRenewals } from "../promotions/subscriptions.ts";
import { skillKeys } from "../skills/keys.ts";
import type { StoredSkill } from "../skills/schema.ts";
import { writeSkill } from "../skills/service.ts";
import { deleteVersions } from "../skills/versions.ts";
import { ownerKeys } from "./keys.ts";
import type { StoredRecord } from "./verification.ts";

/** What withdrawing an entry means, for the page and the docs. */
export const WITHDRAWAL_NOTICE = {
  listing: [
    "The project disappears from every page, list and feed.",
    "You can list its URL again. The new page gets a different address.",
    "Any renewal is canceled, and the hold for a leading bid is released.",
    "A running promotion or Front Row week ends without a refund.",
  ],
  skill: [
    "The skill disappears from every page, list and feed.",
    "You can share its content again. The new page gets a different address.",
  ],
} as const satisfies Record<EntryKind, readonly string[]>;

/**
 * Withdraws an entry: frees its URL or content, deletes everything except its slug, which is never
 * reused, and ends what was sold for it, in one transaction. Throws `not_found` (including if it is
 * already withdrawn), `bad_edit_key` (a hidden entry has no key), `rate_limited`.
 */
export async function withdrawEntry(
  { store }: Core,
  kind: EntryKind,
  options: OwnerRequest,
): Promise<void> {
  await requireEntryKey(store, kind, options);
  await store.transact(async (tx) => {
    const { value } = await tx.get<StoredRecord>(entryKey(kind, options.slug));
    if (value === null || value.state === "withdrawn") throw noEntry(kind);
    if (value.state === "hidden") throw new DomainError("bad_edit_key");
    await leaveTombstone(tx, kind, value);
  });
}

/**
 * Deletes everything about an entry in any state except its slug. Its URL or content is free again,
 * and what was sold for it ends. `isForgotten` records that the operator did it.
 */
export async function leaveTombstone(
  tx: Tx,
  kind: EntryKind,
  value: StoredRecord,
  options: { isForgotten?: true } = {},
): Promise<void> {
  if (kind === "skill") await withdrawSkill(tx, value as StoredSkill);
  else await withdrawListing(tx, value as StoredListing, options);
}

/** A running server sees the change and has the provider do what was queued for it. */
async function withdrawListing(
  tx: Tx,
  listing: StoredListing,
  { isForgotten }: { isForgotten?: true },
): Promise<void> {
  const { slug, state, createdAt } = listing;
  await releaseUrl(tx, listing);
  tx.delete(listingKeys.gem(slug));
  await dropLogo(tx, slug);
  tx.delete(listingKeys.health(slug));
  tx.delete(ownerKeys.check("listing", slug));
  await cancelRenewals(tx, slug);
  await withdrawBid(tx, slug);
  await dropNotices(tx, slug);
  const tombstone: StoredListing = {
    slug,
    state: "withdrawn",
    ...(isForgotten && { isForgotten }),
    createdAt,
    updatedAt: tx.store.clock.now(),
    keyHash: "",
    name: "",
    url: "",
    tagline: "",
    category: null,
    tags: [],
    builtWith: [],
    pricing: null,
    accent: null,
    logoUrl: null,
    repoUrl: null,
    contactEmail: null,
    notifyUrl: null,
    submittedBy: null,
  };
  // A listing that was never public leaves no tombstone in the change log.
  writeListing(tx, { listing: tombstone, description: null }, eventOf({ state }, "withdrawn"));
}

async function withdrawSkill(tx: Tx, skill: StoredSkill): Promise<void> {
  const { slug, kind, contentKey, createdAt } = skill;
  const held = await tx.get<string>(skillKeys.byContent(contentKey));
  if (held.value === slug) tx.delete(held.key);
  tx.delete(skillKeys.content(slug));
  tx.delete(ownerKeys.check("skill", slug));
  await deleteVersions(tx, skill);
  const tombstone: StoredSkill = {
    slug,
    kind,
    state: "withdrawn",
    createdAt,
    updatedAt: tx.store.clock.now(),
    keyHash: "",
    title: "",
    summary: "",
    category: null,
    worksWith: [],
    tags: [],
    installHint: null,
    author: null,
    license: null,
    origin: "original",
    sourceUrl: null,
    submittedBy: null,
    contentKey: "",
    sha256: "",
    fileSha256: "",
    characters: 0,
  };
  writeSkill(tx, tombstone, "withdrawn");
}
