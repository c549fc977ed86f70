import { createEditKey } from "../entries/edit_key.ts";
import type { EntryKind, StoredEntry } from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import { notFound } from "../errors.ts";
import { writeListing } from "../listings/service.ts";
import { notify } from "../notices/outbox.ts";
import { ownerKeys } from "../owners/keys.ts";
import type { Deps } from "./deps.ts";
import { readListing } from "./listings.ts";

/**
 * Gives an entry in any state another edit key, which is returned this once; the one before stops
 * working, and so does what its holder has proven: anyone who has the place can prove it anew. Throws
 * `not_found`.
 */
export function rekey(deps: Deps, kind: EntryKind, slug: string): Promise<string> {
  const { editKey, keyHash } = createEditKey();
  return deps.store.transact(async (tx) => {
    const { key, value } = await tx.get<StoredEntry>(entryKey(kind, slug));
    if (value === null) throw notFound(`No ${kind} has the slug ${slug}`);
    if (kind === "skill") return (tx.set(key, { ...value, keyHash }), editKey);
    await notify(tx, slug, { type: "key_replaced" });
    const { listing: { verified, ...listing }, description } = await readListing(tx, slug);
    if (verified === undefined) return (tx.set(key, { ...listing, keyHash }), editKey);
    tx.delete(ownerKeys.check(slug));
    const event = listing.state === "live" ? "verification_lapsed" : "submitted";
    writeListing(tx, { listing: { ...listing, keyHash }, description }, event);
    return editKey;
  });
}
