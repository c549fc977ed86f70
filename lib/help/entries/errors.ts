import { type ErrorCode, ERRORS } from "../../errors.ts";
import { LIMITS } from "../../limits.ts";
import { MAX_AMOUNT_CENTS } from "../../payments/fees.ts";
import { errorEntry, paths } from "../../urls.ts";
import type { HelpTopic } from "../types.ts";

/** What to do about each error. A new code needs a line here, since its `help` link leads to it. */
const ADVICE: Record<ErrorCode, string> = {
  invalid_json:
    "Send one JSON object as the body, in UTF-8, with `Content-Type: application/json`.",
  invalid_input:
    "`details` is an array of `{field, message}` with every problem at once: correct them all and send again. " +
    "Refused requests do not count against the limits of submissions.",
  bad_edit_key: "Send the key that the creation returned, in `X-Edit-Key` or as a bearer token. " +
    "It begins with `pik_` and cannot be shown again.",
  forbidden_origin:
    "Pages of other sites may only read. Send the request from a program, or from a page of this site.",
  not_found: "Check the slug or id. Hidden and pending records are not public.",
  method_not_allowed: "The `Allow` header names the methods that this address answers.",
  duplicate_url:
    "`details.slug` is the listing that has this URL: vote for it, or edit it if you have " +
    "its edit key.",
  payload_too_large:
    "`details.maxBytes` is what this address accepts, or `details.maxPieces` in how many pieces.",
  unsupported_media_type:
    "Send `Content-Type: application/json`, without a content encoding; forms only to pages.",
  rate_limited: "Wait as long as `Retry-After` says. `details` has limit, windowSeconds and " +
    "retryAfterSeconds. Requests are limited per network and rolling hour; voters of one item, ballots, " +
    "new names and submissions also per IPv4 address or IPv6 /48 and UTC day.",
  unknown_tier:
    "`details.tierIds` are the ids of the tiers; `GET /api/v1/promote` has their prices.",
  submissions_paused:
    "The operator takes no new listings and skills for now. Edits, votes and reading go on.",
  payments_disabled:
    "The operator has closed payments, or has not opened them. Nothing was charged.",
  payments_unconfigured: "This site has no payment provider. Listing stays free.",
  storage_unavailable: "Retry after a moment; sending the same request again is safe.",
  stripe_error: "Retry later. Nothing was charged by this request.",
  stripe_no_url: "Retry later. Nothing was charged by this request.",
  bid_too_low:
    "Bid at least `minNextBidCents` of the auction: the high bid plus the larger of $1 and 5%.",
  invalid_amount: "`amountCents` is a whole number of cents, as a JSON number: 1050 for $10.50.",
  amount_too_high:
    `A bid is at most ${MAX_AMOUNT_CENTS} cents: its total is the largest charge the provider takes.`,
  auction_not_open: "`details.openAuction` names the auction that is open now, or is null, and " +
    "`details.nextAuction` the one that opens next.",
  busy: "Another bid is being confirmed. Retry after the seconds in `Retry-After`.",
  invalid_candidate:
    "The candidates are in `GET /api/v1/poll`; for any other AI use `other` with `writeIn`.",
  invalid_write_in:
    `With candidate \`other\`, \`writeIn\` is 1 to ${LIMITS.writeInMax} letters, digits, spaces, dots and dashes.`,
  write_in_limit:
    `The poll holds ${LIMITS.writeInNames} distinct write-in names. Vote for one that is there.`,
  too_many_agent_identities:
    `At most ${LIMITS.agentsPerNetworkDay} agent names count from one network and UTC day. ` +
    "Use a name that was used today, or come back tomorrow.",
  duplicate_skill: "`details.slug` is the skill with the same content: vote for it instead.",
  theme_low_contrast:
    "`details.problems` names each rule and pair with what it has and needs. Correct all of them.",
  agent_name_required: "Give `agentName` in the body or the header `X-Agent-Name`.",
  invalid_name: "Choose a name without links, markup or profanity.",
  already_signed:
    "Names are unique worldwide for a UTC day. Choose another one, or come back tomorrow.",
  internal_error:
    "This is a fault of the site, and it was logged with `details.requestId`. The request may have taken " +
    "effect: look before you retry it, and if the error stays, tell the operator that id.",
};

/** One entry for each error code: where its `help` link leads. */
export const errorTopic: HelpTopic = ({ urls }) =>
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
    id: errorEntry(code),
    q: `What does the error ${code} mean?`,
    a: `${ERRORS[code].message} (HTTP ${ERRORS[code].status}). ${ADVICE[code]} ` +
      `All codes: ${urls.to(paths.apiReference)}.`,
    audience: "agent" as const,
    tags: ["error", code],
  }));
