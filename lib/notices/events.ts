import { formatSpan, formatTime } from "../text/dates.ts";

/** Something that the owner of a listing hears of. Times are ISO 8601. */
export type NoticeEvent =
  | { type: "hidden"; reason: string }
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

/** What is said of each event, about a project that is named before it. */
const TEXTS: Texts = {
  hidden: ({ reason }) => ({
    subject: "hidden",
    text:
      `We hid this project. Reason: ${reason}. It no longer appears anywhere on the site, its ` +
      "renewals are canceled, and its edit key doesn't work while it is hidden.",
  }),
  outbid: ({ amount, startsAt, endsAt }) => ({
    subject: "outbid for the Front Row",
    text: `Someone bid more than your ${amount} for the Front Row of ${
      formatSpan(startsAt, endsAt)
    }. Your card is not charged, and its hold is released. Until bidding closes, you can bid again.`,
  }),
  won: ({ amount, startsAt, endsAt }) => ({
    subject: "the Front Row is yours",
    text:
      `Your bid of ${amount} won the Front Row of ${formatSpan(startsAt, endsAt)}. Your card was ` +
      "charged.",
  }),
  promotion_started: ({ tier, endsAt }) => ({
    subject: "promotion started",
    text: `The ${tier} promotion is running. All paid time ends on ${formatTime(endsAt)}.`,
  }),
  promotion_ends_soon: ({ tier, endsAt }) => ({
    subject: "promotion ends in two days",
    text: `The ${tier} promotion ends on ${formatTime(endsAt)}. It does not renew.`,
  }),
  promotion_ended: ({ endsAt }) => ({
    subject: "promotion ended",
    text: `The promotion ended on ${formatTime(endsAt)}. The project stays listed as before.`,
  }),
  key_replaced: () => ({
    subject: "edit key replaced",
    text:
      "This project has a new edit key, and the old one no longer works. If you did not ask for " +
      "this, contact us.",
  }),
  verification_lapsed: ({ domain }) => ({
    subject: "verification lapsed",
    text:
      `We could not find the proof for ${domain} three times in a row, so the project no longer ` +
      "shows a verified owner. Publish the proof and verify again.",
  }),
  link_gone: ({ url }) => ({
    subject: "link gone",
    text:
      `We could not reach ${url} for three days, and the project's page now says so. It stays ` +
      "listed.",
  }),
};

/** The subject and the sentences about an event. */
export function textOf(event: NoticeEvent): { subject: string; text: string } {
  const write = TEXTS[event.type] as (event: NoticeEvent) => { subject: string; text: string };
  return write(event);
}
