import { createEditKey } from "../entries/edit_key.ts";
import type { EntryKind, StoredEntry } from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import { notFound } from "../errors.ts";
import { notify } from "../notices/outbox.ts";
import type { Deps } from "./deps.ts";

/**
 * Gives an entry in any state another edit key, which is returned this once; the one before stops
 * working. Throws `not_found`.
 */
export function rekey(deps: Deps, kind: EntryKind, slug: string): Promise<string> {
  const { editKey, keyHash } = createEditKey();
  return deps.store.transact(async (tx) => {
    const { key, value } = await tx.get<StoredEntry>(entryKey(kind, slug));
    if (value === null) throw notFound(`No ${kind} has the slug ${slug}`);
    if (kind === "listing") await notify(tx, slug, { type: "key_replaced" });
    tx.set(key, { ...value, keyHash });
    return editKey;
  });
}
