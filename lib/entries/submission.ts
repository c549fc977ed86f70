/** What submissions of all kinds of entries have in common: limits, slugs, edit keys and receipts. */
import type { Core } from "../core.ts";
import { DomainError } from "../errors.ts";
import { daysNetwork } from "../http/blocks.ts";
import type { Caller } from "../http/caller.ts";
import { dayCapKeys, spendDay } from "../http/day_caps.ts";
import { rejectOtherRequest, REPEATABLE_MS } from "../http/idempotency.ts";
import { rateLimitKeys, spendWindow } from "../http/rate_limit.ts";
import { storeKeys } from "../kv/keys.ts";
import type { Tx } from "../kv/store.ts";
import { readSwitches } from "../switches.ts";
import { sha256 } from "../text/digest.ts";
import { createEditKey, isSameKey } from "./edit_key.ts";
import type { EntryKind, EntryRef, StoredEntry } from "./entries.ts";
import { entryKey, receiptKey } from "./keys.ts";
import { freeSlug, type SlugOptions, takeSlug } from "./slugs.ts";

/** The entry a request created. */
interface Receipt {
  slug: string;
  /** The digest of the request. */
  request: string;
  /** ms since the epoch. */
  expiresAt: number;
}

/** The fields of a new entry's record that don't come from its input, and the time (ms). */
export interface NewEntry extends Pick<StoredEntry, "slug" | "keyHash" | "network" | "signedBy"> {
  now: number;
}

const LIMIT = { listing: "submissions", skill: "skillSubmissions" } as const;

/** What an entry needs: a slug, and the key of its URL or content, which only one entry holds. */
interface Needed {
  kind: EntryKind;
  slugs: SlugOptions;
  held: Deno.KvKey;
}

const DUPLICATE = { listing: "duplicate_url", skill: "duplicate_skill" } as const;

/**
 * Creates an entry: in one transaction, counts the submission, takes a slug, reserves its URL or
 * content, and calls `create`. A sender who lost the response can repeat the request with the same
 * edit key or `Idempotency-Key`, and gets what `repeated` returns for the entry's slug, with the
 * edit key only if the sender chose it. If `repeated` returns null, the entry is created again. An
 * edit key can be used for several entries. Throws `submissions_paused`, `rate_limited`,
 * `duplicate_url` or `duplicate_skill` (details.slug), and `invalid_input` for another request with
 * the same `Idempotency-Key`.
 */
export async function submitEntry<T extends object>(
  deps: Core,
  { kind, slugs, held: heldKey, input, caller, idempotencyKey = null, repeated, create }: Needed & {
    input: { editKey: string | null };
    caller: Caller;
    idempotencyKey?: string | null;
    repeated: (slug: string) => Promise<T | null>;
    create: (tx: Tx, own: NewEntry, review: boolean) => T;
  },
): Promise<T & { editKey: string | null }> {
  const { network } = caller;
  const limit = LIMIT[kind];
  const { editKey, keyHash } = createEditKey(input.editKey);
  const request = sha256(JSON.stringify(input));
  // Others may choose the same Idempotency-Key. Only the owner knows an edit key, and may send it
  // for several entries.
  const receiptKeys = [
    ...(idempotencyKey === null ? [] : [receiptKey(kind, network, sha256(idempotencyKey))]),
    ...(input.editKey === null ? [] : [receiptKey(kind, "", sha256(request))]),
  ];
  const signedBy = await caller.signedBy() ?? undefined;
  return await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    // Receipts and URL are read in one call, because a concurrent repeated request writes both.
    const [switches, window, ofDay, held, ...receipts] = await tx.getMany<unknown>([
      storeKeys.switches,
      rateLimitKeys.window(limit, network),
      dayCapKeys.count(limit, now, caller),
      heldKey,
      ...receiptKeys,
    ]);
    const earlier = receipts.map(({ value }) => value as Receipt | null)
      .find((receipt) => receipt !== null && receipt.expiresAt > now);
    if (earlier) {
      if (earlier.request !== request) rejectOtherRequest();
      const entry = await deps.store.get<StoredEntry>(entryKey(kind, earlier.slug));
      // An edit key that has been replaced since then isn't the entry's key anymore.
      const isOwn = input.editKey === null || isSameKey(entry.value?.keyHash ?? "", keyHash);
      const made = isOwn ? await repeated(earlier.slug) : null;
      if (made !== null) return { ...made, editKey: input.editKey };
    }
    const { submissionsPaused, review } = readSwitches(switches!);
    if (submissionsPaused) throw new DomainError("submissions_paused");
    spendWindow(tx, window!, { bucket: limit, now });
    spendDay(tx, ofDay!, { cap: limit, caller, now });
    requireFree(kind, held!);
    const slug = await takeSlug(tx, slugs);
    tx.set(heldKey, slug);
    const from = daysNetwork(deps, { caller, now });
    const made = create(tx, { slug, keyHash, network: from, signedBy, now }, review);
    const receipt: Receipt = { slug, request, expiresAt: now + REPEATABLE_MS };
    for (const key of receiptKeys) tx.setExpiring(key, receipt);
    return { ...made, editKey };
  }, { queue: `${kind}_slug:${slugs.base}` });
}

/**
 * The slug that a submission would get. Throws `submissions_paused`, `duplicate_url` and
 * `duplicate_skill`.
 */
export async function previewSlug(
  { store }: Core,
  { kind, slugs, held: heldKey }: Needed,
): Promise<string> {
  const [switches, held] = await store.getMany<unknown>([storeKeys.switches, heldKey]);
  if (readSwitches(switches!).submissionsPaused) throw new DomainError("submissions_paused");
  requireFree(kind, held!);
  return (await freeSlug(store, slugs)).slug;
}

/**
 * Reserves the key of an edited entry's URL or content. Throws `duplicate_url` or `duplicate_skill`
 * if another entry, even a hidden one, holds it.
 */
export async function reserve(
  tx: Tx,
  key: Deno.KvKey,
  { kind, slug }: EntryRef,
): Promise<void> {
  const held = await tx.get<string>(key);
  // If the same edit, sent twice, has landed in the meantime, this one conflicts.
  if (held.value !== slug) requireFree(kind, held);
  tx.set(key, slug);
}

/** Throws `duplicate_url` or `duplicate_skill` if an entry holds the key. */
function requireFree(kind: EntryKind, { value: slug }: Deno.KvEntryMaybe<unknown>): void {
  if (slug !== null) throw new DomainError(DUPLICATE[kind], { slug });
}
