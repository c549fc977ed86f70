import { formatSpan, formatTime } from "../text/dates.ts";

/** An event that a listing's owner is told about. Times are ISO 8601. */
export type NoticeEvent =
  | { type: "hidden"; reason: string }
  | { type: "live" }
  | { type: "outbid" | "won"; auctionId: string; amount: string; startsAt: string; endsAt: string }
  | { type: "promotion_started" | "promotion_ends_soon"; tier: string; endsAt: string }
  | { type: "promotion_ended"; endsAt: string }
  | { type: "key_replaced" }
  | { type: "verification_lapsed"; domain: string }
  | { type: "link_gone"; url: string };

type Texts = {
  [T in NoticeEvent["type"]]: (
    event: Extract<NoticeEvent, { type: T }>,
  ) => { subject: string; text: string };
};

/** The subject and text for each event. Both follow the project's name. */
const TEXTS: Texts = {
  hidden: ({ reason }) => ({
    subject: "hidden",
    text:
      `We hid this project. Reason: ${reason}. It no longer appears anywhere on the site, its ` +
      "renewals are canceled, and its edit key doesn't work while it is hidden. If you think " +
      "that's a mistake, contact us.",
  }),
  live: () => ({
    subject: "now public",
    text:
      "Everyone can see this project, and its edit key works. If it was hidden, its renewals stay " +
      "canceled.",
  }),
  outbid: ({ amount, startsAt, endsAt }) => ({
    subject: "outbid for the Front Row",
    text: `Someone bid more than your ${amount} for the Front Row (${
      formatSpan(startsAt, endsAt)
    }). Your card won't be charged, and the hold is being released. You can bid again until bidding closes.`,
  }),
  won: ({ amount, startsAt, endsAt }) => ({
    subject: "the Front Row is yours",
    text:
      `Your bid of ${amount} won the Front Row for ${
        formatSpan(startsAt, endsAt)
      }. Your card was ` +
      "charged.",
  }),
  promotion_started: ({ tier, endsAt }) => ({
    subject: "promotion started",
    text: `Your ${tier} promotion has started. Your paid time ends on ${formatTime(endsAt)}.`,
  }),
  promotion_ends_soon: ({ tier, endsAt }) => ({
    subject: "promotion ends soon",
    text: `Your ${tier} promotion ends on ${formatTime(endsAt)}. It won't renew automatically.`,
  }),
  promotion_ended: ({ endsAt }) => ({
    subject: "promotion ended",
    text: `Your promotion ended on ${formatTime(endsAt)}. Your project is still listed.`,
  }),
  key_replaced: () => ({
    subject: "edit key replaced",
    text:
      "This project has a new edit key, and the old one no longer works. If you didn't ask for " +
      "this, contact us.",
  }),
  verification_lapsed: ({ domain }) => ({
    subject: "verification lapsed",
    text:
      `We couldn't find your token for ${domain} three times in a row, so the project no longer ` +
      "shows a verified owner. Publish the token and verify again.",
  }),
  link_gone: ({ url }) => ({
    subject: "link not working",
    text:
      `Three checks on different days found no page at ${url}, and the project's page now says ` +
      "so. The project is still listed. If the page has moved, edit the URL. If it's back, our next " +
      "daily check will see it.",
  }),
};

/** The types of webhooks, one per event. */
export const WEBHOOK_TYPES = Object.keys(TEXTS).map((type) => `project.${type}`);

/** The subject and text for an event. */
export function textOf(event: NoticeEvent): { subject: string; text: string } {
  const write = TEXTS[event.type] as (event: NoticeEvent) => { subject: string; text: string };
  return write(event);
}
