import type { Tx } from "../kv/store.ts";
import { listingKeys } from "./keys.ts";
import type { StoredListing } from "./schema.ts";

/** Whether the operator has hidden a listing. */
export async function isHidden(kv: Pick<Tx, "get">, slug: string): Promise<boolean> {
  const { value } = await kv.get<StoredListing>(listingKeys.one(slug));
  return value?.state === "hidden";
}
