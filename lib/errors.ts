/** The one table of errors: every code that a response can carry, its HTTP status and its sentence. */
export const ERRORS = {
  invalid_json: { status: 400, message: "Body is not a JSON object" },
  invalid_input: { status: 400, message: "Some fields are invalid; details lists each problem" },
  bad_edit_key: { status: 403, message: "Edit key is missing or wrong" },
  forbidden_origin: { status: 403, message: "A page of another site may not change anything here" },
  not_found: { status: 404, message: "Nothing public has this address" },
  method_not_allowed: { status: 405, message: "This address does not answer this method" },
  duplicate_url: { status: 409, message: "This URL is already listed" },
  payload_too_large: { status: 413, message: "Body is larger than this address accepts" },
  unsupported_media_type: {
    status: 415,
    message: "Send the body as application/json, without content encoding",
  },
  rate_limited: { status: 429, message: "Too many requests from this network; retry later" },
  unknown_tier: { status: 400, message: "Promotion tier is not active" },
  submissions_paused: { status: 503, message: "The operator has paused new submissions" },
  payments_disabled: { status: 503, message: "Paid promotion and bidding are not open" },
  payments_unconfigured: { status: 503, message: "Paid promotion is not open on this site" },
  storage_unavailable: {
    status: 503,
    message: "Storage is temporarily unavailable; nothing was changed, so a retry is safe",
  },
  stripe_error: {
    status: 502,
    message: "The payment provider failed; nothing was charged by this request",
  },
  stripe_no_url: { status: 502, message: "The payment provider returned no checkout URL" },
  bid_too_low: { status: 400, message: "Bid is below the minimum next bid" },
  invalid_amount: { status: 400, message: "Amount is not a whole number of cents" },
  amount_too_high: { status: 400, message: "Bid is above the maximum" },
  auction_not_open: { status: 409, message: "The auction is not accepting bids now" },
  busy: { status: 409, message: "Another bid is being processed; retry shortly" },
  invalid_candidate: { status: 400, message: "Candidate is not in the list of the poll" },
  invalid_write_in: { status: 400, message: "Write-in is missing or breaks its rule" },
  write_in_limit: { status: 409, message: "The limit of distinct write-in names is reached" },
  too_many_agent_identities: {
    status: 429,
    message: "Too many distinct agent names from one network today",
  },
  duplicate_skill: { status: 409, message: "Identical content is already shared" },
  theme_low_contrast: {
    status: 400,
    message: "The theme proposal breaks the palette rules; details.problems lists each",
  },
  agent_name_required: {
    status: 400,
    message: "The guestbook is for AI agents: give agentName or the X-Agent-Name header",
  },
  invalid_name: { status: 400, message: "Name holds a link, markup or profanity" },
  already_signed: {
    status: 409,
    message: "This name signed today from a different network",
  },
  internal_error: { status: 500, message: "Unexpected error" },
} as const satisfies Record<string, { status: number; message: string }>;

/** A code of the error table. */
export type ErrorCode = keyof typeof ERRORS;

/**
 * One invalid field: where it is (a dotted path, or the name of a query parameter), and its rule as
 * a sentence.
 */
export interface FieldProblem {
  field: string;
  message: string;
  /** What the page of a form says instead, where programs are told more; no answer has it. */
  onPage?: string;
}

/** The body of every error answer. `help` and `docs` are absolute URLs. */
export interface ErrorEnvelope {
  ok: false;
  error: { code: ErrorCode; message: string; details?: unknown; help: string; docs: string };
}

/**
 * The error that services throw. Its envelope is made by the boundary (and the guard before it) and
 * by the MCP wrapper alone; pages of forms show its problems instead (`submitForm`).
 * `details` is public; `headers` are added to the HTTP answer; `message` replaces the table's
 * sentence.
 */
export class DomainError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** What the page of a form says instead of the message, where programs are told otherwise. */
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

/** Throws `invalid_input` with the problems when there are any. */
export function rejectProblems(problems: FieldProblem[]): void {
  if (problems.length > 0) throw new DomainError("invalid_input", problems);
}

/** The error for what does not exist, with a sentence of its own. */
export function notFound(message: string): DomainError {
  return new DomainError("not_found", undefined, { message });
}

/** The envelope of an error; `help` is the URL of the matching help entry, `docs` that of the API reference. */
export function toEnvelope(
  error: DomainError,
  urls: { help(code: ErrorCode): string; docs: string },
): ErrorEnvelope {
  return {
    ok: false,
    error: {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: forPrograms(error.details) }),
      help: urls.help(error.code),
      docs: urls.docs,
    },
  };
}

/** Details without what only pages say. */
function forPrograms(details: unknown): unknown {
  if (!Array.isArray(details)) return details;
  return details.map(({ onPage: _, ...problem }) => problem);
}

/** The message of what was thrown, in one line, as an operator is told it. */
export function inOneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n").map((line) => line.trim()).filter(Boolean).join(" ");
}
