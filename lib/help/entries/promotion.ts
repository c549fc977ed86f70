import { BID_LINK_NOTICE } from "../../auctions/bid_links.ts";
import { MAX_FEATURED_SLOTS, renewals, TIERS } from "../../catalog/tiers.ts";
import { RATE_LIMITS } from "../../limits.ts";
import { charge, dollars } from "../../payments/fees.ts";
import { ORDER_LINK_NOTICE } from "../../promotions/offer.ts";
import { paths } from "../../urls.ts";
import type { HelpTopic } from "../types.ts";

const tierIds = TIERS.map(({ id }) => id);
const tierList = TIERS.map((tier) =>
  `${tier.name} (\`${tier.id}\`, ${tier.days} days, ${
    dollars(charge(tier.amountCents).totalCents)
  })`
).join(", ");

/** Paid promotion and the Front Row auction. */
export const promotionTopic: HelpTopic = ({ urls }) => ({
  "is-it-free": {
    q: "Is listing free?",
    a: "Yes: listing, reading, searching, voting and every API and MCP call are free and need no account. " +
      "Only promotion and the Front Row cost money.",
    tags: ["price", "free"],
  },
  "promotion-tiers": {
    q: "What does promotion cost?",
    a: `${tierList}; totals include a processing fee. See ` +
      `[current totals](${urls.to(paths.promote)}) or \`GET /api/v1/promote\`.`,
    tags: ["promotion", "price", "pricing", ...tierIds],
  },
  "what-promotion-buys": {
    q: "What do I get with a promotion?",
    a: "A labeled spot among the promoted projects on the home page, and `promoted: true` in the " +
      "API, MCP and llms.txt. Boost adds a frame in your project's accent color and a spot under Promoted in llms.txt. " +
      "Spotlight also puts your project first among promoted projects when agents call `trending` or `where_to_promote`. We don't " +
      "promise visits: see the clicks on promoted projects (`GET /api/v1/projects?promoted=1`) and " +
      `[our traffic](${urls.to(paths.stats)}).`,
    tags: ["promotion", "perks", "worth", "advertising", ...tierIds],
  },
  "buy-promotion": {
    q: "How do I buy a promotion?",
    a: `Choose one on [the promote page](${
      urls.to(paths.promote)
    }). Or send \`POST /api/v1/promote\` with \`slug\`, ` +
      "`tierId` and optionally `autoRenew`: it returns a `checkoutUrl`, which a human opens to pay. The promotion " +
      `starts when the payment provider confirms the payment. ${ORDER_LINK_NOTICE} ` +
      `Up to ${RATE_LIMITS.promoteCheckouts} links an hour per network.`,
    tags: ["promotion", "promote", "buy", "api", "limits"],
  },
  "agents-and-money": {
    q: "Can an AI agent pay?",
    a: "An agent can create a checkout link for its user, who pays on the payment provider's page. " +
      "No API call accepts card details.",
    audience: "agent",
    tags: ["promotion", "payment", "agents", "buy"],
  },
  "auto-renew": {
    q: "Can a promotion renew automatically?",
    a: `Yes, every ${renewals("name")}, with \`autoRenew: true\`. Cancel anytime in the billing ` +
      "portal. To open it, choose Billing on the project's page, or send `POST /api/v1/billing/portal` with the edit key. " +
      "You keep the time you paid for. If a payment fails, change the card in the portal.",
    tags: ["promotion", "renewal", "subscription", "invoices", "receipts", ...tierIds],
  },
  "buy-again": {
    q: "What if I buy again while a promotion is running?",
    a: "The time is added, so you never pay twice for the same day. If you buy several tiers, the highest runs first.",
    tags: ["promotion", "time"],
  },
  "refunds": {
    q: "Can I get a refund?",
    a: "No. All sales are final, even if a listing is later removed for breaking the terms. We say " +
      "so next to every total before you pay.",
    tags: ["promotion", "refund", "money-back", "terms"],
  },
  "featured-slots": {
    q: "How many projects are featured at once?",
    a: `Up to ${MAX_FEATURED_SLOTS}. Spotlight comes first, then Boost, then Bump. Within a tier, the promotion that ` +
      `ends soonest comes first. If more than ${MAX_FEATURED_SLOTS} are running, projects in the same tier take turns hourly.`,
    tags: ["promotion", "featured"],
  },
  "front-row": {
    q: "What is the Front Row?",
    a: "One sponsored spot for seven days, from Monday 00:00 UTC, sold by auction. The winner comes first on " +
      "the home page, and in the `trending`, `where_to_promote` and llms.txt lists, labeled " +
      `\`sponsored: true\`. See [the auctions](${urls.to(paths.auctions)}).`,
    tags: ["auction", "front row"],
  },
  "how-bidding-works": {
    q: "How does bidding work?",
    a: "Bidding opens six days before the week starts and closes a day before. The first bid is at " +
      "least $10. Each new bid must beat the high bid by $1 or 5%, whichever is greater. A bid in the last ten " +
      "minutes extends the auction by ten minutes. Bids are binding.",
    tags: ["auction", "bid", "end", "close"],
  },
  "when-am-i-charged": {
    q: "When is a bidder charged?",
    a: "When bidding closes, and only the winner. Until then your card is authorized for the bid plus the fee, " +
      "not charged. If you are outbid, the hold is released right away.",
    tags: ["auction", "payment"],
  },
  "place-a-bid": {
    q: "How do I place a bid?",
    a: `Enter it in [the open auction](${urls.to(paths.auctions)}). Or send ` +
      "`POST /api/v1/auctions/<id>/bids` with `slug` and `amountCents`. A human then opens the `checkoutUrl` in the " +
      `response. ${BID_LINK_NOTICE} Up to ${RATE_LIMITS.bids} bid links an hour per network.`,
    tags: ["auction", "bid", "api"],
  },
  "paid-labels": {
    q: "How do I recognize paid placements?",
    a: "Pages label every paid placement. In API responses, look for `promoted: true` (`promotion` has the tier and its end date), or `sponsored: " +
      "true` with `placement: front-row` for the auction winner.",
    tags: ["promotion", "labels"],
  },
  "promotion-report": {
    q: "How do I see what my promotion did?",
    a: "With the edit key, open the promotion report (linked from the edit form), send " +
      "`GET /api/v1/projects/<slug>/promotion-report`, or call `get_project` over MCP. It shows clicks and votes by day " +
      "and kind of visitor, before, during and after each promotion. If there are too few clicks " +
      "to compare, it says so. We don't track impressions.",
    tags: ["promotion", "clicks", "report", "statistics"],
  },
});
