import type { Tx } from "../kv/store.ts";
import { listingKeys } from "./keys.ts";
import type { StoredListing } from "./schema.ts";

/** True if a listing was hidden by the operator or withdrawn by its owner. */
export async function isTakenDown(kv: Pick<Tx, "get">, slug: string): Promise<boolean> {
  const { value } = await kv.get<StoredListing>(listingKeys.one(slug));
  return value?.state === "hidden" || value?.state === "withdrawn";
}
