import type { Core } from "../core.ts";
import { type OwnerRequest, requireEntryKey } from "../entries/edit_key.ts";
import { entryKey } from "../entries/keys.ts";
import { channelsOf, webhookSecret } from "./channels.ts";
import { type Addressee, addressesOf, type Channel } from "./outbox.ts";

/** How a listing's owner is told about events. */
export interface NoticeSettings {
  /** Whether this site has each channel, and whether the listing has an address for it. */
  channels: Record<Channel, { offered: boolean; isSet: boolean }>;
  /** The secret that signs its webhooks. */
  webhookSecret: string;
}

/**
 * How a listing's owner is told about events, for a caller with its edit key. Never returns the
 * addresses. Throws `not_found`, `bad_edit_key` (a hidden listing has no key), `rate_limited`.
 */
export async function readNoticeSettings(
  deps: Core,
  options: OwnerRequest,
): Promise<NoticeSettings> {
  await requireEntryKey(deps.store, "listing", options);
  const { value } = await deps.store.get<Addressee>(entryKey("listing", options.slug));
  const offered = channelsOf(deps.env);
  const set = addressesOf(value!).map(([channel]) => channel);
  const of = (channel: Channel) => ({ offered: offered[channel], isSet: set.includes(channel) });
  return {
    channels: { email: of("email"), webhook: of("webhook") },
    webhookSecret: webhookSecret(deps.identity, value!),
  };
}
