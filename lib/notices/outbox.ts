/**
 * The outbox of notices. An event's transaction queues its notices, one for each channel, and
 * `deliverNotices` sends them. No other code knows about email or webhooks.
 */
import { utcDay } from "../clock.ts";
import { entryKey } from "../entries/keys.ts";
import { createLogId } from "../kv/log_id.ts";
import type { Tx } from "../kv/store.ts";
import type { NoticeEvent } from "./events.ts";
import { noticeKeys } from "./keys.ts";

/** A way to tell owners about events. */
export type Channel = "email" | "webhook";

/** What notices need from a listing's record. Records from earlier versions have no `notifyUrl`. */
export interface Addressee {
  slug: string;
  name: string;
  state: string;
  keyHash: string;
  contactEmail: string | null;
  notifyUrl?: string | null;
}

/** An event still to be sent in one channel. */
export interface Notice {
  /** One for each event, the same in every try and channel. */
  id: string;
  slug: string;
  name: string;
  channel: Channel;
  /** The address at the time of the event: a new owner must not be able to take it over. */
  to: string;
  /** The hash of the edit key at that time, used to derive the webhook's secret. */
  keyHash: string;
  event: NoticeEvent;
  /** When it happened (ms). */
  at: number;
  failures: number;
  /** When (ms) it may be tried again; during a try, when that try counts as lost. */
  notBefore: number;
}

/**
 * How many events per UTC day a listing's owner is told about. After that, only the most important.
 */
const EVENTS_PER_DAY = 10;
const ALWAYS_TOLD: ReadonlySet<NoticeEvent["type"]> = new Set([
  "hidden",
  "won",
  "key_replaced",
  "verification_lapsed",
]);

/** The addresses of a listing by channel. */
export function addressesOf(listing: Addressee): [Channel, string][] {
  const { contactEmail, notifyUrl } = listing;
  return [["email", contactEmail] as const, ["webhook", notifyUrl] as const]
    .flatMap(([channel, to]) => to ? [[channel, to]] : []);
}

/**
 * Tells a listing's owner about an event, in the event's transaction: once in each channel for
 * which the listing has an address. After ten events in a day, only important ones that others
 * cannot repeat at will are sent. If the same transaction changes the listing, its previous address
 * is used.
 */
export async function notify(tx: Tx, slug: string, event: NoticeEvent): Promise<void> {
  const { value: listing } = await tx.peek<Addressee>(entryKey("listing", slug));
  const addresses = listing === null ? [] : addressesOf(listing);
  if (listing === null || addresses.length === 0) return;
  const now = tx.store.clock.now();
  const count = await tx.get<number>(noticeKeys.count(slug, utcDay(now)));
  const told = count.value ?? 0;
  if (told >= EVENTS_PER_DAY && !ALWAYS_TOLD.has(event.type)) return;
  tx.setExpiring(count.key, told + 1);
  const id = createLogId(now);
  const { name, keyHash } = listing;
  for (const [channel, to] of addresses) {
    const notice = { id, slug, name, channel, to, keyHash, event, at: now };
    writeNotice(tx, { ...notice, failures: 0, notBefore: now });
  }
  noteDue(tx);
}

/** Writes a new or updated notice. */
export function writeNotice(tx: Tx, notice: Notice): void {
  const { slug, id, channel } = notice;
  tx.setExpiring(noticeKeys.one(slug, id, channel), notice);
}

/** Makes the next run of the job look for due notices, in the transaction that creates them. */
export function noteDue(tx: Tx): void {
  tx.set(noticeKeys.due, 0);
}

/** Deletes unsent notices to an owner whose addresses are forgotten. */
export async function dropNotices(tx: Tx, slug: string): Promise<void> {
  for await (const { key } of tx.store.list({ prefix: noticeKeys.ofListing(slug) })) tx.delete(key);
}
