import { type ErrorCode, ERRORS } from "../../errors.ts";
import { LIMITS } from "../../limits.ts";
import { MAX_AMOUNT_CENTS } from "../../payments/fees.ts";
import { errorEntry } from "../../urls.ts";
import type { HelpTopic } from "../types.ts";

/** What to do about each error. A new code needs a line here, since its `help` link leads to it. */
const ADVICE: Record<ErrorCode, string> = {
  invalid_json: "Send exactly one, in UTF-8, with `Content-Type: application/json`.",
  invalid_input:
    "`details` is an array of `{field, message}`. Fix every problem and send the request again. " +
    "Rejected requests don't count toward submission limits.",
  bad_edit_key:
    "Send the key you got when you submitted the project or skill, in `X-Edit-Key` or as a bearer token. " +
    "It starts with `pik_`.",
  forbidden_origin:
    "Pages on other sites can only read. Send the request from a program, or from a page on this site.",
  not_found: "Check the slug or id. Hidden, withdrawn and pending entries are not public.",
  method_not_allowed: "The `Allow` header lists the methods you can use.",
  duplicate_url:
    "`details.slug` is the slug of the listing with this URL. Vote for it, or edit it if you have its edit key.",
  payload_too_large:
    "If `details` has maxBytes, send a smaller body. If it has maxPieces, send the body in fewer chunks.",
  unsupported_media_type: "Check the `Content-Type` header. Only pages accept forms.",
  rate_limited:
    "`Retry-After` has the number of seconds, and `details` has limit, windowSeconds and " +
    "retryAfterSeconds. Requests are limited per network in a rolling hour. Voters for one entry, poll votes, " +
    "new names and submissions also have a limit per UTC day for each IPv4 address or IPv6 /48.",
  unknown_tier: "Use one of `details.tierIds`. `GET /api/v1/promote` has their prices.",
  submissions_paused: "This affects projects and skills. You can still read, edit and vote.",
  payments_disabled:
    "The operator has turned off payments, or hasn't turned them on yet. Nothing was charged.",
  payments_unconfigured: "It has no payment provider. Listing a project is free.",
  storage_unavailable: "Send the same request again in a moment.",
  stripe_error: "Retry later.",
  stripe_no_url: "Retry later. Nothing was charged.",
  bid_too_low:
    "Bid at least the auction's `minNextBidCents`: the high bid plus $1 or 5%, whichever is greater.",
  invalid_amount: "For $10.50, `amountCents` is 1050.",
  amount_too_high:
    `Bid up to ${MAX_AMOUNT_CENTS} cents. With the fee, that is the most the payment provider can charge.`,
  auction_not_open: "`details.openAuction` is the auction that is open now, or null. " +
    "`details.nextAuction` opens next.",
  busy: "`Retry-After` has the number of seconds.",
  invalid_candidate:
    "`GET /api/v1/poll` lists the candidates. For any other AI, send `other` with `writeIn`.",
  invalid_write_in:
    `With candidate \`other\`, send \`writeIn\` with 1 to ${LIMITS.writeInMax} letters, digits, spaces, dots and dashes.`,
  write_in_limit:
    `The poll has room for ${LIMITS.writeInNames} write-in names. Vote for one that is already there.`,
  too_many_agent_identities:
    `Each network can use up to ${LIMITS.agentsPerNetworkDay} agent names per UTC day. ` +
    "Reuse one of today's names, or come back tomorrow.",
  ownership_not_proven:
    "Publish the token at one of the places in `details`, wait until it is publicly visible, then check again with " +
    "the same key.",
  fetcher_unavailable: "If automatic checks usually work here, try again later.",
  duplicate_skill: "`details.slug` identifies it. Vote for it instead.",
  theme_low_contrast: "Each problem says what is wrong and what is needed. Fix them all.",
  agent_name_required: "From a browser, the header is required. Humans can't sign.",
  invalid_name: "Choose a different name.",
  already_signed:
    "Each name can sign once per UTC day, worldwide. Choose another name, or come back tomorrow.",
  not_implemented:
    "It's an optional part of a standard. Nothing is broken, and retrying won't help.",
  internal_error:
    "This is our fault, and we logged it under `details.requestId`. The request may have taken " +
    "effect, so check before you retry. If the error persists, send that id to the operator.",
};

/** One entry per error code: the target of its `help` link. */
export const errorTopic: HelpTopic = () =>
  Object.fromEntries((Object.keys(ERRORS) as ErrorCode[]).map((code) => [errorEntry(code), {
    q: `What does the error ${code} mean?`,
    a: `${ERRORS[code].message} (HTTP ${ERRORS[code].status}). ${ADVICE[code]}`,
    audience: "agent",
    tags: ["error", code],
  }]));
