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
import { createEditKey } from "./edit_key.ts";
import type { EntryKind } from "./entries.ts";
import { receiptKey } from "./keys.ts";
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
export interface NewEntry {
  slug: string;
  keyHash: string;
  /** The day's pseudonym of the submitter's network (`daysNetwork`). */
  network?: string;
  signedBy?: string;
  now: number;
}

const LIMIT = { listing: "submissions", skill: "skillSubmissions" } as const;

/**
 * Creates an entry: in one transaction, counts the submission, takes a slug, and calls `create`. A
 * sender who lost the response can repeat the request with the same edit key or `Idempotency-Key`,
 * and gets what `repeated` returns for the entry's slug, unless that is null. An edit key can be
 * used for several entries. Throws `submissions_paused`, `rate_limited`, and `invalid_input` for
 * another request with the same `Idempotency-Key`.
 */
export async function submitEntry<T extends object>(
  deps: Core,
  { kind, slugs, input, caller, idempotencyKey = null, repeated, create }: {
    kind: EntryKind;
    slugs: SlugOptions;
    input: { editKey: string | null };
    caller: Caller;
    idempotencyKey?: string | null;
    repeated: (slug: string) => Promise<T | null>;
    create: (tx: Tx, own: NewEntry, review: boolean) => Promise<T>;
  },
): Promise<T & { editKey: string | null }> {
  const { network } = caller;
  const limit = LIMIT[kind];
  const { editKey, keyHash } = createEditKey(input.editKey);
  // Others may choose the same Idempotency-Key. Only the owner knows an edit key.
  const scopes = [[network, idempotencyKey], ["", input.editKey]] as const;
  const receiptKeys = scopes.flatMap(([scope, key]) =>
    key === null ? [] : [receiptKey(kind, scope, sha256(key))]
  );
  const request = sha256(JSON.stringify(input));
  const signedBy = await caller.signedBy(deps.signatures) ?? undefined;
  return await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const [switches, window, ofDay, ...receipts] = await tx.getMany<unknown>([
      storeKeys.switches,
      rateLimitKeys.window(limit, network),
      dayCapKeys.count(limit, now, caller),
      ...receiptKeys,
    ]);
    for (const [i, { value }] of receipts.entries()) {
      const receipt = value as Receipt | null;
      if (receipt === null || receipt.expiresAt <= now) continue;
      if (receipt.request === request) {
        const earlier = await repeated(receipt.slug);
        if (earlier === null) break;
        return { ...earlier, editKey: input.editKey };
      }
      if (idempotencyKey !== null && i === 0) rejectOtherRequest();
    }
    const { submissionsPaused, review } = readSwitches(switches!);
    if (submissionsPaused) throw new DomainError("submissions_paused");
    spendWindow(tx, window!, { bucket: limit, now });
    spendDay(tx, ofDay!, { cap: limit, caller, now });
    const slug = await takeSlug(tx, slugs);
    const from = daysNetwork(deps, { caller, now });
    const made = await create(tx, { slug, keyHash, network: from, signedBy, now }, review);
    const receipt: Receipt = { slug, request, expiresAt: now + REPEATABLE_MS };
    for (const key of receiptKeys) tx.set(key, receipt, { expireIn: REPEATABLE_MS });
    return { ...made, editKey };
  }, { queue: `${kind}_slug:${slugs.base}` });
}

/**
 * The slug that a submission would get. Throws `submissions_paused`, or `code` if an entry holds the
 * key of its URL or content.
 */
export async function previewSlug(
  { store }: Core,
  { slugs, held: key, code }: {
    slugs: SlugOptions;
    held: Deno.KvKey;
    code: "duplicate_url" | "duplicate_skill";
  },
): Promise<string> {
  const [switches, held] = await store.getMany<unknown>([storeKeys.switches, key]);
  if (readSwitches(switches!).submissionsPaused) throw new DomainError("submissions_paused");
  if (held!.value !== null) throw new DomainError(code, { slug: held!.value });
  return (await freeSlug(store, slugs)).slug;
}
