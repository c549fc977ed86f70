import { assertEquals } from "@std/assert";
import { DomainError, type ErrorCode, ERRORS, inOneLine, toEnvelope } from "@/lib/errors.ts";

/** The contract's error table: code and status. */
const CONTRACT: Record<string, number> = {
  invalid_json: 400,
  invalid_input: 400,
  bad_edit_key: 403,
  not_found: 404,
  duplicate_url: 409,
  rate_limited: 429,
  unknown_tier: 400,
  submissions_paused: 503,
  payments_disabled: 503,
  payments_unconfigured: 503,
  storage_unavailable: 503,
  stripe_error: 502,
  stripe_no_url: 502,
  bid_too_low: 400,
  invalid_amount: 400,
  amount_too_high: 400,
  auction_not_open: 409,
  busy: 409,
  invalid_candidate: 400,
  invalid_write_in: 400,
  write_in_limit: 409,
  too_many_agent_identities: 429,
  duplicate_skill: 409,
  theme_low_contrast: 400,
  agent_name_required: 400,
  invalid_name: 400,
  already_signed: 409,
  internal_error: 500,
};

/** Our additions to it. */
const ADDED: Record<string, number> = {
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  forbidden_origin: 403,
  ownership_not_proven: 409,
  fetcher_unavailable: 503,
  not_implemented: 501,
};

Deno.test("ERRORS has exactly the contract's codes and statuses and our additions", () => {
  const table = Object.fromEntries(
    Object.entries(ERRORS).map(([code, { status }]) => [code, status]),
  );
  assertEquals(table, { ...CONTRACT, ...ADDED });
});

Deno.test("DomainError uses the table's message unless it gets its own", () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    assertEquals(new DomainError(code).message, ERRORS[code].message);
    assertEquals(new DomainError(code, null, { message: "Exact" }).message, "Exact");
  }
});

Deno.test("inOneLine joins a multi-line error into one line", () => {
  assertEquals(inOneLine(new Error(" no such file:\n\n  data/kv\n")), "no such file: data/kv");
  assertEquals(inOneLine("thrown as text"), "thrown as text");
});

Deno.test("toEnvelope omits text meant only for pages", () => {
  const problem = { field: "kind", message: "Required. Must be one of: a, b" };
  const details = [{ ...problem, onPage: "Required" }];
  const error = new DomainError("invalid_input", details, { onPage: "Correct the form" });
  const envelope = toEnvelope(error, { help: () => "/help", docs: "/api" });
  assertEquals(envelope.error.details, [problem]);
  assertEquals(JSON.stringify(envelope).includes("onPage"), false);
});
