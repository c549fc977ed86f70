import type { Urls } from "../urls.ts";

/** The content security policy of every response except pages. */
export const STRICT_CSP = "default-src 'none'; frame-ancestors 'none'; sandbox";
const PAGE_CSP = "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'; object-src 'none'; manifest-src 'self'";

/** The headers that every response has. */
const SHARED = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy":
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/**
 * Where Fresh stores the nonce of the inline script that starts a page's islands. `lib/fresh/`
 * creates no inline script.
 */
const NONCE = Symbol.for("__freshNonce");

/**
 * The content security policy of a response. The framework's inline script may run on a page; on an
 * https site, pages upgrade what they load.
 */
export function policyOf(urls: Urls, answer: Response & { [NONCE]?: string }): string {
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) return STRICT_CSP;
  const policy = isHttps(urls) ? `${PAGE_CSP}; upgrade-insecure-requests` : PAGE_CSP;
  const nonce = answer[NONCE];
  return nonce ? policy.replace("script-src 'self'", `$& 'nonce-${nonce}'`) : policy;
}

function isHttps({ base }: Urls): boolean {
  return base.startsWith("https:");
}

/** Adds the headers that every response has. It is not cacheable unless it says so. */
export function addSharedHeaders(
  response: Response,
  { urls, requestId }: { urls: Urls; requestId: string },
): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(SHARED)) headers.set(name, value);
  headers.set("X-Request-Id", requestId);
  if (isHttps(urls)) {
    headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains");
  }
  // A cache takes over the headers of a 304, so it must not replace the page's policy.
  if (response.status === 304) return response;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (!headers.has("Content-Security-Policy")) {
    headers.set("Content-Security-Policy", policyOf(urls, response));
  }
  if (!headers.has("Cross-Origin-Resource-Policy")) {
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
  }
  return response;
}
