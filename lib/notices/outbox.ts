/**
 * The outbox of notices. The transaction of an event writes down what is to be told of it, once for
 * each channel, and `deliverNotices` tells it. Nobody else knows of email or webhooks.
 */
import { DAY_MS, utcDay } from "../clock.ts";
import { entryKey } from "../entries/keys.ts";
import { createLogId } from "../kv/log_id.ts";
import type { Tx } from "../kv/store.ts";
import type { NoticeEvent } from "./events.ts";
import { noticeKeys } from "./keys.ts";

/** A way in which owners hear of events. */
export type Channel = "email" | "webhook";

/** What notices need of a listing's record. Records of earlier versions have no `notifyUrl`. */
export interface Addressee {
  slug: string;
  name: string;
  state: string;
  keyHash: string;
  contactEmail: string | null;
  notifyUrl?: string | null;
}

/** An event that is still to be told in one channel. */
export interface Notice {
  /** One for each event, and the same in every try and channel. */
  id: string;
  slug: string;
  name: string;
  channel: Channel;
  /** The address at the time of the event: a new owner must not be able to take it over. */
  to: string;
  /** The hash of the edit key at that time, from which the webhook's secret is made. */
  keyHash: string;
  event: NoticeEvent;
  /** When it happened (ms). */
  at: number;
  failures: number;
  /** When (ms) it may be tried again; while a try is under way, when that counts as lost. */
  notBefore: number;
}

/** Of how many events a listing's owner hears in a UTC day. After that, only of the ones that matter most. */
const EVENTS_PER_DAY = 10;
const ALWAYS_TOLD: ReadonlySet<NoticeEvent["type"]> = new Set([
  "hidden",
  "won",
  "key_replaced",
  "verification_lapsed",
]);
/** For how long (ms) KV keeps a notice that nobody delivers. */
const KEPT_MS = 3 * DAY_MS;

/** The addresses of a listing by channel. */
export function addressesOf(listing: Addressee): [Channel, string][] {
  const { contactEmail, notifyUrl } = listing;
  return [["email", contactEmail] as const, ["webhook", notifyUrl] as const]
    .flatMap(([channel, to]) => to ? [[channel, to]] : []);
}

/**
 * Tells the owner of a listing of an event, in the transaction that makes it: once in each channel
 * for which the listing has an address. After ten events of a day only what must not be missed is told,
 * which others cannot repeat at will. A listing that is changed
 * in the same transaction is told at its address from before.
 */
export async function notify(tx: Tx, slug: string, event: NoticeEvent): Promise<void> {
  const { value: listing } = await tx.peek<Addressee>(entryKey("listing", slug));
  const addresses = listing === null ? [] : addressesOf(listing);
  if (listing === null || addresses.length === 0) return;
  const now = tx.store.clock.now();
  const count = await tx.get<number>(noticeKeys.count(slug, utcDay(now)));
  const told = count.value ?? 0;
  if (told >= EVENTS_PER_DAY && !ALWAYS_TOLD.has(event.type)) return;
  tx.set(count.key, told + 1, { expireIn: 2 * DAY_MS });
  const id = createLogId(now);
  const { name, keyHash } = listing;
  for (const [channel, to] of addresses) {
    const notice = { id, slug, name, channel, to, keyHash, event, at: now };
    writeNotice(tx, { ...notice, failures: 0, notBefore: now });
  }
  noteDue(tx);
}

/** Writes a notice down, or down again. */
export function writeNotice(tx: Tx, notice: Notice): void {
  const { slug, id, channel } = notice;
  tx.set(noticeKeys.one(slug, id, channel), notice, { expireIn: KEPT_MS });
}

/** Has the job of each minute look for what is due, in the transaction that makes it so. */
export function noteDue(tx: Tx): void {
  tx.set(noticeKeys.due, 0);
}

/** Deletes what is still to be told to an owner whose addresses are forgotten. */
export async function dropNotices(tx: Tx, slug: string): Promise<void> {
  for await (const { key } of tx.store.list({ prefix: noticeKeys.ofListing(slug) })) tx.delete(key);
}
