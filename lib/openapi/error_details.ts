import type { ErrorCode, FieldProblem } from "../errors.ts";

const problem = (field: string, message: string): FieldProblem[] => [{ field, message }];
const PAIR = { rule: "contrast", pair: "ink/bg", ratio: 1.44, need: 7 };

/**
 * Example `details` of each error for the OpenAPI document; the others have none. Tests compare the
 * keys with each response of the API.
 */
export const ERROR_DETAILS: { readonly [Code in ErrorCode]?: unknown } = {
  invalid_input: problem("tagline", "Must have at most 120 characters, not 300"),
  method_not_allowed: { allow: "GET, HEAD" },
  duplicate_url: { slug: "listed-before" },
  payload_too_large: { maxBytes: 65_536 },
  rate_limited: { limit: 20, windowSeconds: 3600, retryAfterSeconds: 1200 },
  unknown_tier: { tierId: "bump-4", tierIds: ["bump-3", "boost-7"] },
  bid_too_low: { minNextBidCents: 2100, minNextBid: "$21.00" },
  invalid_amount: problem("amountCents", "Must be a whole number of cents"),
  amount_too_high: { maxCents: 97_099_969, max: "$970,999.69" },
  auction_not_open: {
    status: "past",
    opensAt: "2026-11-17T00:00:00.000Z",
    closesAt: "2026-11-22T00:00:00.000Z",
    openAuction: null,
    nextAuction: { id: "front-row-2026-11-30", opensAt: "2026-11-24T00:00:00.000Z" },
  },
  invalid_candidate: problem("candidate", "Required"),
  invalid_write_in: problem("writeIn", "Required"),
  write_in_limit: { limit: 200 },
  too_many_agent_identities: { limit: 25, windowSeconds: 86_400, retryAfterSeconds: 43_200 },
  ownership_not_proven: [{
    method: "dns",
    where: "_projectory.inkwell.example.com",
    content: "projectory-verification=7wJ0nNqk1H0B8r3pVb5yV6sU2mXcZ9dQeTfLgKhWaYI",
    found: "No TXT record",
  }],
  duplicate_skill: { slug: "shared-before" },
  theme_low_contrast: {
    problems: [{
      ...PAIR,
      message: `${PAIR.pair} has a contrast of ${PAIR.ratio}:1 and needs at least ${PAIR.need}:1`,
    }],
  },
  agent_name_required: problem("agentName", "Required"),
  invalid_name: problem("agentName", "Must not contain links, markup, profanity or advertising"),
  internal_error: { requestId: "c78e232c-d372-4e84-aabb-6a3e43761c81" },
};
