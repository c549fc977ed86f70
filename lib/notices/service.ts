import type { Core } from "../core.ts";
import { type OwnerRequest, requireEntryKey } from "../entries/edit_key.ts";
import { entryKey } from "../entries/keys.ts";
import { channelsOf, webhookSecret } from "./channels.ts";
import { type Addressee, addressesOf, type Channel } from "./outbox.ts";

/** How a listing's owner is told about events. */
export type NoticeSettings = Awaited<ReturnType<typeof readNoticeSettings>>;

/**
 * How a listing's owner is told about events, for a caller with its edit key: whether this site has
 * each channel, whether the listing has an address for it (never the address), and the secret that
 * signs its webhooks. Throws `not_found`, `bad_edit_key` (a hidden listing has no key), `rate_limited`.
 */
export async function readNoticeSettings(deps: Core, options: OwnerRequest) {
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
