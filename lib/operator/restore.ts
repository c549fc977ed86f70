/** Restores one listing from a backup while the service keeps running. */
import { isDeepStrictEqual } from "node:util";
import { BackupError, withBackup } from "../database_file.ts";
import { eventOf, refused } from "../entries/entries.ts";
import { isStillProven } from "../entries/verified.ts";
import { SettingError } from "../env.ts";
import { storeKeys } from "../kv/keys.ts";
import { dataFolder } from "../kv/open.ts";
import { Store } from "../kv/store.ts";
import { dropLogo, queueLogo } from "../listings/logo.ts";
import type { ListingPayload, StoredListing } from "../listings/schema.ts";
import { readPayload, releaseUrl, writeListing } from "../listings/service.ts";
import { SCHEMA_VERSION } from "../migrations.ts";
import { ownerKeys, type OwnershipCheck } from "../owners/keys.ts";
import { urlKey } from "../text/url_identity.ts";
import type { Deps } from "./deps.ts";
import { holdUrl, requireListing } from "./listings.ts";

/**
 * Restores a listing's record from a backup file, if it was withdrawn, damaged or, with
 * `evenForgotten`, forgotten. Votes and clicks were never deleted. A listing that isn't gone keeps
 * its state, its edit key, and a proof that is valid for its URL; an email, webhook or submitter's
 * name that was deleted stays deleted. False if nothing differs from the backup. Throws `not_found`,
 * and `invalid_input` if the backup doesn't have it, or another listing has its URL by now.
 */
export async function restoreListing(
  deps: Deps,
  { slug, file, evenForgotten }: { slug: string; file: string; evenForgotten: boolean },
): Promise<boolean> {
  const { listing: saved, description } = await readSaved(deps, file, slug);
  return await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const { listing: before, description: textBefore } = await requireListing(tx, slug);
    const isGone = before.state === "withdrawn";
    if (before.isForgotten && !evenForgotten) {
      throw refused(
        `${slug} was deleted with forget; --even-forgotten brings it back anyway`,
      );
    }
    // A proof belongs to an edit key.
    const { state, wasRefused, keyHash, verified } = isGone ? saved : before;
    const { wasRefused: _, verified: __, ...fields } = saved;
    const listing: StoredListing = { ...fields, state, keyHash, updatedAt: before.updatedAt };
    if (wasRefused !== undefined) listing.wasRefused = wasRefused;
    // It may have been deleted on request.
    if (!isGone) {
      listing.contactEmail &&= before.contactEmail && saved.contactEmail;
      listing.notifyUrl &&= before.notifyUrl && saved.notifyUrl;
      listing.submittedBy &&= before.submittedBy && saved.submittedBy;
      listing.signedBy &&= before.signedBy && saved.signedBy;
    }
    const isProven = verified !== undefined && isStillProven(saved.url, verified);
    if (isProven) listing.verified = verified;
    if (isDeepStrictEqual([listing, description], [before, textBefore])) return false;
    listing.updatedAt = now;
    if (!isGone && urlKey(before.url) !== urlKey(listing.url)) await releaseUrl(tx, before);
    await holdUrl(tx, listing);
    if (before.logoUrl !== listing.logoUrl) {
      await dropLogo(tx, slug);
      queueLogo(tx, listing, now);
    }
    const check = ownerKeys.check("listing", slug);
    if (isProven) tx.set(check, { dueAt: now, failures: 0 } satisfies OwnershipCheck);
    else tx.delete(check);
    const event = eventOf(listing, isGone ? "unhidden" : "updated");
    writeListing(tx, { listing, description }, event);
    return true;
  });
}

/**
 * Reads a listing from a backup file. Throws `invalid_input` if it isn't one, has another version or
 * doesn't have the listing.
 */
async function readSaved(
  { env, clock }: Deps,
  file: string,
  slug: string,
): Promise<ListingPayload> {
  try {
    return await withBackup(file, dataFolder(env) ?? "data", async (kv) => {
      const backup = new Store(kv, clock);
      const { value: version } = await backup.get<number>(storeKeys.schemaVersion);
      if (version !== SCHEMA_VERSION) {
        const isOlder = Number(version) < SCHEMA_VERSION;
        throw refused(
          `${file} has schema version ${version}, but this program needs ${SCHEMA_VERSION}` +
            (isOlder
              ? ". Restore it to another file, and start a server on that to migrate it"
              : ""),
        );
      }
      const saved = await readPayload(backup, slug);
      if (saved === null || saved.listing.state === "withdrawn") {
        throw refused(`The backup has no listing with the slug ${slug}`);
      }
      return saved;
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      throw refused(`${file} cannot be read by this command. Copy it into the service's folder`);
    }
    if (error instanceof BackupError || error instanceof SettingError) throw refused(error.message);
    throw error;
  }
}
