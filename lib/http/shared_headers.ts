/** The content security policy of every answer that is no page. */
export const STRICT_CSP = "default-src 'none'; frame-ancestors 'none'; sandbox";
const PAGE_CSP = "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'; object-src 'none'; manifest-src 'self'";
const HTTPS_PAGE_CSP = `${PAGE_CSP}; upgrade-insecure-requests`;
const HSTS = "Strict-Transport-Security";

/**
 * Where Fresh tells the nonce of the inline script that starts a page's islands. `lib/fresh/` makes
 * no inline script.
 */
const NONCE = Symbol.for("__freshNonce");

/** The content security policy of an answer of a type; what pages load is upgraded where HSTS is sent. */
function policyOf(type: string | null | undefined, shared: SharedHeaders["headers"] = {}): string {
  if (!type?.startsWith("text/html")) return STRICT_CSP;
  return HSTS in shared ? HTTPS_PAGE_CSP : PAGE_CSP;
}

/** The content security policy of a page as the framework rendered it: its own inline script may run. */
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
  /** The answer that was made with them. */
  whole?: Response;
}

/** What an answer is made for: the context that a handler gets. */
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
 * Makes an answer that has the shared headers from the start. Deno hands a response to its HTTP
 * server when it is made; if its headers are touched later, that copy is thrown away and the body
 * is copied again, which for a list costs as much as all the rest.
 */
export function wholeResponse(
  { state: { shared } }: AnswerContext,
  body: BodyInit | null,
  { status, headers }: { status: number; headers: Record<string, string> },
): Response {
  if (shared === undefined) return new Response(body, { status, headers });
  // A cache takes over the headers of a 304, so the policy of the page must not be replaced.
  const policy: Record<string, string> = status === 304 ? {} : {
    "Content-Security-Policy": policyOf(headers["Content-Type"], shared.headers),
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  const all = { ...shared.headers, ...policy, ...headers };
  return shared.whole = new Response(body, { status, headers: all });
}

/** Adds the shared headers to an answer that was made without them; no one may keep it unless it says who may. */
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
