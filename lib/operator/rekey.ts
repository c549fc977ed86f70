import { createEditKey } from "../entries/edit_key.ts";
import type { EntryKind } from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import { notFound } from "../errors.ts";
import { notify } from "../notices/outbox.ts";
import { endProof, type StoredRecord } from "../owners/verification.ts";
import type { Deps } from "./deps.ts";

/**
 * Gives an entry in any state a new edit key, returned only once. The old key stops working, and so
 * does its holder's proof of ownership: anyone who controls the place can prove it again. Throws
 * `not_found`.
 */
export function rekey(deps: Deps, kind: EntryKind, slug: string): Promise<string> {
  const { editKey, keyHash } = createEditKey();
  return deps.store.transact(async (tx) => {
    const { key, value } = await tx.get<StoredRecord>(entryKey(kind, slug));
    if (value === null) throw notFound(`No ${kind} has the slug ${slug}`);
    if (kind === "listing") await notify(tx, slug, { type: "key_replaced" });
    const rekeyed = { ...value, keyHash };
    if (value.verified) await endProof(tx, kind, rekeyed);
    else tx.set(key, rekeyed);
    return editKey;
  });
}
