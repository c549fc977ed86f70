/** The content security policy of every answer except pages. */
export const STRICT_CSP = "default-src 'none'; frame-ancestors 'none'; sandbox";
const PAGE_CSP = "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'; object-src 'none'; manifest-src 'self'";
const HTTPS_PAGE_CSP = `${PAGE_CSP}; upgrade-insecure-requests`;
const HSTS = "Strict-Transport-Security";

/**
 * Where Fresh stores the nonce of the inline script that starts a page's islands. `lib/fresh/`
 * creates no inline script.
 */
const NONCE = Symbol.for("__freshNonce");

/**
 * The content security policy for a content type; where HSTS is sent, pages upgrade what they load.
 */
function policyOf(type: string | null | undefined, shared: SharedHeaders["headers"] = {}): string {
  if (!type?.startsWith("text/html")) return STRICT_CSP;
  return HSTS in shared ? HTTPS_PAGE_CSP : PAGE_CSP;
}

/**
 * The content security policy of a page as rendered by the framework: its inline script may run.
 */
export function pagePolicy(
  { state }: AnswerContext,
  page: Response & { [NONCE]?: string },
): string {
  const policy = policyOf(page.headers.get("Content-Type"), state.shared?.headers);
  const nonce = page[NONCE];
  return nonce ? policy.replace("script-src 'self'", `$& 'nonce-${nonce}'`) : policy;
}

/** The headers that every answer to a request has. */
export interface SharedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** The response created with them. */
  whole?: Response;
}

/** The part of a handler's context that answers need. */
export interface AnswerContext {
  readonly req: Request;
  readonly state: { shared?: SharedHeaders };
}

/** Fixes the headers that every answer to this request will have. */
export function shareHeaders(
  { state }: AnswerContext,
  { requestId, https }: { requestId: string; https: boolean },
): void {
  const headers = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Request-Id": requestId,
    ...(https ? { [HSTS]: "max-age=63072000; includeSubDomains" } : {}),
  };
  state.shared = { headers };
}

/**
 * Creates a response with the shared headers from the start. Deno hands a response to its HTTP
 * server on creation; changing headers later discards that copy and copies the body again, which
 * for a list costs as much as everything else.
 */
export function wholeResponse(
  { state: { shared } }: AnswerContext,
  body: BodyInit | null,
  { status, headers }: { status: number; headers: Record<string, string> },
): Response {
  if (shared === undefined) return new Response(body, { status, headers });
  // A cache takes over the headers of a 304, so it must not replace the page's policy.
  const policy: Record<string, string> = status === 304 ? {} : {
    "Content-Security-Policy": policyOf(headers["Content-Type"], shared.headers),
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  const all = { ...shared.headers, ...policy, ...headers };
  return shared.whole = new Response(body, { status, headers: all });
}

/**
 * Adds the shared headers to a response created without them. It is not cacheable unless it says
 * so.
 */
export function addSharedHeaders(ctx: AnswerContext, response: Response): Response {
  const { shared } = ctx.state;
  if (shared?.whole === response) return response;
  const { headers } = response;
  for (const [name, value] of Object.entries(shared?.headers ?? {})) headers.set(name, value);
  if (response.status === 304) return response;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (!headers.has("Content-Security-Policy")) {
    headers.set("Content-Security-Policy", pagePolicy(ctx, response));
  }
  if (!headers.has("Cross-Origin-Resource-Policy")) {
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
  }
  return response;
}
