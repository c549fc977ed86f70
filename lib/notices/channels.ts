/** How a notice looks in each channel, and whether the receiver accepted it. */
import { Webhook } from "standardwebhooks";
import { isoTime } from "../clock.ts";
import type { Core } from "../core.ts";
import type { Env } from "../env.ts";
import type { Fetcher } from "../fetching/fetcher.ts";
import type { Identity } from "../http/identity.ts";
import { paths } from "../urls.ts";
import { textOf } from "./events.ts";
import type { Channel, Notice } from "./outbox.ts";
import { isOptedOut, unsubscribePath } from "./unsubscribe.ts";

/** The outcome of a try: accepted, no longer wanted, or failed, temporarily or for good. */
export type Outcome =
  | { kind: "accepted" | "unwanted" }
  | { kind: "failed"; error: string; isFinal: boolean };

/** The channels that a site has. Others are not offered anywhere. */
export function channelsOf(
  { fetcherPort, smtpUrl }: Pick<Env, "fetcherPort" | "smtpUrl">,
): Readonly<Record<Channel, boolean>> {
  const webhook = fetcherPort !== undefined;
  return { email: webhook && smtpUrl !== undefined, webhook };
}

/**
 * The secret that signs a listing's webhooks. It is derived from the hash of the edit key, so a new
 * key brings a new secret, and nothing is stored.
 */
export function webhookSecret(
  identity: Identity,
  { slug, keyHash }: { slug: string; keyHash: string },
): string {
  const secret = identity.secret(`webhook\n${slug}\n${keyHash}`);
  return `whsec_${secret.replaceAll("-", "+").replaceAll("_", "/")}=`;
}

/** Sends a notice to its receiver once. */
export const send: Record<
  Channel,
  (deps: Core & { fetcher: Fetcher }, notice: Notice) => Promise<Outcome>
> = {
  async webhook({ fetcher, identity, urls, clock }, notice) {
    const { id, slug, name, to, event, at } = notice;
    const { type, ...details } = event;
    const body = JSON.stringify({
      type: `project.${type}`,
      timestamp: isoTime(at),
      data: {
        slug,
        name,
        page: urls.to(paths.listing(slug)),
        text: textOf(event).text,
        ...details,
      },
    });
    const now = clock.now();
    const messageId = `msg_${id}`;
    const secret = webhookSecret(identity, notice);
    const posted = await fetcher.post({
      url: to,
      headers: {
        "Content-Type": "application/json",
        "webhook-id": messageId,
        "webhook-timestamp": String(Math.floor(now / 1_000)),
        "webhook-signature": new Webhook(secret).sign(messageId, new Date(now), body),
      },
      body,
    });
    if (!posted.ok) return { kind: "failed", error: posted.problem, isFinal: false };
    const { status } = posted;
    if (status >= 200 && status < 300) return { kind: "accepted" };
    // A receiver that responds with Gone wants no more of these.
    return { kind: "failed", error: `status ${status}`, isFinal: status === 410 };
  },

  async email(deps, notice) {
    const { fetcher, identity, urls, env } = deps;
    const { id, slug, name, to, event, at } = notice;
    if (await isOptedOut(deps, to)) return { kind: "unwanted" };
    const { subject, text } = textOf(event);
    const unsubscribeUrl = urls.to(unsubscribePath(identity, to));
    const mailed = await fetcher.mail({
      smtpUrl: env.smtpUrl!,
      host: new URL(urls.base).hostname,
      from: { name: env.siteName, address: env.contactEmail! },
      to,
      subject: `${name}: ${subject}`,
      text: [
        text,
        `${name}\n${urls.to(paths.listing(slug))}`,
        `You got this email because your address is this project's private contact. Stop all our emails:\n${unsubscribeUrl}`,
        `${env.siteName}\n${urls.base}`,
      ].join("\n\n"),
      messageId: id,
      date: isoTime(at),
      unsubscribeUrl,
    });
    if (mailed.ok) return { kind: "accepted" };
    return { kind: "failed", error: mailed.problem, isFinal: mailed.isFinal };
  },
};
