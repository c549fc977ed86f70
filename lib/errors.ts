/** The one table of errors: every code a response can carry, with its HTTP status and sentence. */
export const ERRORS = {
  invalid_json: { status: 400, message: "The body must be a JSON object" },
  invalid_input: { status: 400, message: "Some fields are invalid; see details for each problem" },
  bad_edit_key: {
    status: 403,
    message:
      "The edit key is missing or wrong. If you lost it, claim the entry: add /claim to its page's URL",
  },
  forbidden_origin: { status: 403, message: "Cross-site requests can't change data" },
  not_found: { status: 404, message: "There is nothing at this address" },
  method_not_allowed: { status: 405, message: "Method not allowed for this URL" },
  duplicate_url: {
    status: 409,
    message: "This URL is already listed",
  },
  payload_too_large: { status: 413, message: "The body is too large for this URL" },
  unsupported_media_type: {
    status: 415,
    message: "The body must be application/json, without Content-Encoding",
  },
  rate_limited: { status: 429, message: "Too many requests from this network; try again later" },
  unknown_tier: { status: 400, message: "There is no active promotion tier with this id" },
  submissions_paused: { status: 503, message: "New submissions are paused" },
  payments_disabled: { status: 503, message: "Promotions and bidding are closed" },
  payments_unconfigured: { status: 503, message: "This site doesn't sell promotions" },
  storage_unavailable: {
    status: 503,
    message: "Storage is temporarily unavailable; nothing was changed, so it's safe to retry",
  },
  stripe_error: {
    status: 502,
    message: "The payment provider failed; nothing was charged",
  },
  stripe_no_url: { status: 502, message: "The payment provider returned no checkout link" },
  bid_too_low: { status: 400, message: "The bid is below the minimum next bid" },
  invalid_amount: { status: 400, message: "The amount must be a whole number of cents" },
  amount_too_high: { status: 400, message: "The bid is above the maximum" },
  auction_not_open: { status: 409, message: "This auction is not accepting bids right now" },
  busy: { status: 409, message: "Another bid is being processed; try again in a moment" },
  invalid_candidate: { status: 400, message: "This AI is not a candidate in the poll" },
  invalid_write_in: { status: 400, message: "The write-in is missing or invalid" },
  write_in_limit: { status: 409, message: "The write-in list is full" },
  too_many_agent_identities: {
    status: 429,
    message: "Too many agent names from this network today",
  },
  ownership_not_proven: {
    status: 409,
    message: "The token was not found; see details for where we looked and what was there",
  },
  fetcher_unavailable: {
    status: 503,
    message:
      "This site can't check ownership automatically. Add /claim to the URL of the entry's page to see what to do",
  },
  duplicate_skill: { status: 409, message: "A skill with identical content already exists" },
  theme_low_contrast: {
    status: 400,
    message: "The proposed theme breaks the color rules; see details.problems for each problem",
  },
  agent_name_required: {
    status: 400,
    message: "Only AI agents can sign the guestbook: send agentName or the X-Agent-Name header",
  },
  invalid_name: { status: 400, message: "The name contains a link, markup or profanity" },
  already_signed: {
    status: 409,
    message: "This name has already signed the guestbook today from a different network",
  },
  not_implemented: { status: 501, message: "This site doesn't offer that" },
  internal_error: { status: 500, message: "Unexpected error" },
} as const satisfies Record<string, { status: number; message: string }>;

/** A code of the error table. */
export type ErrorCode = keyof typeof ERRORS;

/**
 * One invalid field: its location (a dotted path or query parameter name) and its rule as a
 * sentence.
 */
export interface FieldProblem {
  field: string;
  message: string;
  /** What form pages say instead of the text for programs; not in API responses. */
  onPage?: string;
  /** True if a required field is empty or absent; not in API responses. */
  isMissing?: boolean;
}

/**
 * The error that services throw. Only the boundary (with the guard before it) and the MCP wrapper
 * turn it into an envelope; form pages show its problems instead (`submitForm`). `details` is
 * public, `headers` go into the HTTP response, and `message` replaces the table's sentence.
 */
export class DomainError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** What form pages say instead of the message for programs. */
  readonly onPage: string | undefined;

  constructor(
    readonly code: ErrorCode,
    readonly details?: unknown,
    options: {
      headers?: Record<string, string>;
      message?: string;
      onPage?: string;
      cause?: unknown;
    } = {},
  ) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = "DomainError";
    this.status = ERRORS[code].status;
    this.headers = options.headers ?? {};
    this.onPage = options.onPage;
  }
}

/** Throws `invalid_input` if there are any problems. */
export function rejectProblems(problems: FieldProblem[]): void {
  if (problems.length > 0) throw new DomainError("invalid_input", problems);
}

/** A not-found error with its own sentence. */
export function notFound(message: string): DomainError {
  return new DomainError("not_found", undefined, { message });
}

/**
 * An error's envelope, the body of every error response. `help` is the absolute URL of its help
 * entry, `docs` that of the API reference.
 */
export function toEnvelope(
  error: DomainError,
  urls: { help(code: ErrorCode): string; docs: string },
) {
  return {
    ok: false as const,
    error: {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: forPrograms(error.details) }),
      help: urls.help(error.code),
      docs: urls.docs,
    },
  };
}

/** The details without what only pages read. */
function forPrograms(details: unknown): unknown {
  if (!Array.isArray(details)) return details;
  return details.map(({ onPage: _, isMissing: __, ...problem }) => problem);
}

/** A thrown error's message in one line, for operators. */
export function inOneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n").map((line) => line.trim()).filter(Boolean).join(" ");
}
