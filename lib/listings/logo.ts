/**
 * Small copies of listings' logos, so readers' browsers never load anything from a stranger's
 * address.
 */
import type { Store, Tx } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import { listingKeys } from "./keys.ts";
import type { StoredListing } from "./schema.ts";

/** A copy in KV. */
interface StoredLogo {
  /** `logoVersion` of the address it was copied from. */
  version: string;
  /** Well below KV's 64 KiB: even uncompressed it would take 36. */
  png: Uint8Array<ArrayBuffer>;
}

/** A logo to be copied. */
export interface LogoJob {
  /** How many attempts in a row failed. */
  failures: number;
}

/** How many copies are kept, at about 8 KB each. */
const COPIES_MAX = 20_000;

type WithLogo = Pick<StoredListing, "slug" | "logoUrl">;

/** Where the copy of a listing's logo is, even if there is none yet. */
export interface LogoPlace {
  slug: string;
  version: string;
}

/** The place of a listing's logo; null if it has none. */
export function logoOf({ slug, logoUrl }: WithLogo): LogoPlace | null {
  return logoUrl === null ? null : { slug, version: logoVersion(logoUrl) };
}

/** A value that changes with a logo's address. */
export function logoVersion(logoUrl: string): string {
  return sha256(logoUrl, "hex").slice(0, 16);
}

/** Queues the copying of a listing's logo, if it has one. */
export function queueLogo(tx: Tx, { slug, logoUrl }: WithLogo, now: number): void {
  if (logoUrl !== null) tx.set(listingKeys.logoJob(now, slug), { failures: 0 } satisfies LogoJob);
}

/** The copy of a listing's logo, or null. Changing or removing `logoUrl` deletes it. */
export async function readLogo(store: Store, slug: string): Promise<StoredLogo | null> {
  return (await store.get<StoredLogo>(listingKeys.logo(slug))).value;
}

/** Stores a copy. False if there are too many already. */
export async function keepLogo(tx: Tx, slug: string, copy: StoredLogo): Promise<boolean> {
  const [before, count] = await readCopy(tx, slug);
  if (before.value === null) {
    if (count.value >= COPIES_MAX) return false;
    tx.set(count.key, count.value + 1);
  }
  tx.set(before.key, copy);
  return true;
}

/** Deletes the copy of a listing's logo, if there is one. */
export async function dropLogo(tx: Tx, slug: string): Promise<void> {
  const [before, count] = await readCopy(tx, slug);
  if (before.value === null) return;
  tx.delete(before.key);
  tx.set(count.key, count.value - 1);
}

async function readCopy(tx: Tx, slug: string) {
  const before = await tx.get<StoredLogo>(listingKeys.logo(slug));
  const count = await tx.get<number>(listingKeys.logoCount);
  return [before, { key: count.key, value: count.value ?? 0 }] as const;
}
