/** Notices caused only by the passing of time: a promotion ends in two days, or has ended. */
import { findTier } from "../catalog/tiers.ts";
import { DAY_MS, isoTime } from "../clock.ts";
import type { Core } from "../core.ts";
import { listValues } from "../kv/ranges.ts";
import type { Tx } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { noteDue, notify } from "../notices/outbox.ts";
import { promotionKeys } from "./keys.ts";
import { liveSubscriptions } from "./subscriptions.ts";
import { type PromotionBalance, spans } from "./time.ts";

/** How long (ms) before a promotion's end its owner is told. */
const AHEAD_MS = 2 * DAY_MS;
/** How old (ms) an end may be to be news. It is older if the site had no fetcher until now. */
const NEWS_MS = 2 * DAY_MS;

/** What a listing's owner must still be told about the end of its time. */
interface Reminder {
  slug: string;
  /** When (ms) it is due. */
  at: number;
}

/** Schedules a notice about the end of a listing's time, in the transaction that changes it. */
export function remindOfEnd(tx: Tx, slug: string, balance: PromotionBalance): void {
  const at = spans(balance).at(-1)!.endsAt - AHEAD_MS;
  tx.set(promotionKeys.reminder(slug), { slug, at } satisfies Reminder);
  noteDue(tx);
}

/** Queues due notices. Returns when (ms) the next one is due; Infinity if none waits. */
export async function announceEnds({ store, clock }: Core): Promise<number> {
  const reminders = await listValues<Reminder>(store, promotionKeys.reminders);
  const times: number[] = [];
  for (const { slug, at } of reminders) {
    times.push(
      at > clock.now() ? at : await store.transact((tx) => announce(tx, slug, clock.now())),
    );
  }
  return Math.min(...times);
}

/**
 * Sends a reminder's notice if it is due and the listing is live, and returns when (ms) the next one
 * is.
 */
async function announce(tx: Tx, slug: string, now: number): Promise<number> {
  const [entry, paid, listing] = await tx.getMany<unknown>([
    promotionKeys.reminder(slug),
    promotionKeys.one(slug),
    listingKeys.one(slug),
  ]);
  const reminder = entry!.value as Reminder | null;
  const balance = paid!.value as PromotionBalance | null;
  if (reminder === null || balance === null) return Infinity;
  if (reminder.at > now) return reminder.at;
  const { tierId, endsAt: end } = spans(balance).at(-1)!;
  const endsAt = isoTime(end);
  const isLive = (listing!.value as StoredListing | null)?.state === "live";
  if (now < end) {
    const renewals = await liveSubscriptions(tx, slug);
    // A promotion that renews does not end. If it does after all, its owner is told then.
    if (isLive && renewals.every(({ ending }) => ending)) {
      await notify(tx, slug, { type: "promotion_ends_soon", tier: findTier(tierId)!.name, endsAt });
    }
    tx.set(entry!.key, { slug, at: end } satisfies Reminder);
    return end;
  }
  if (isLive && now - end < NEWS_MS) await notify(tx, slug, { type: "promotion_ended", endsAt });
  tx.delete(entry!.key);
  return Infinity;
}
