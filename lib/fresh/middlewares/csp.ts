import { NONCE } from "../render_state.ts";
import type { Middleware } from "../types.ts";

/** Options of {@linkcode csp}. */
export interface CSPOptions {
  /** Only report what the policy would block. */
  reportOnly?: boolean;
  /** Where reports go. */
  reportTo?: string;
  /** Directives that replace the default of the same name. */
  csp?: string[];
  /** Allow inline scripts and styles by the document's nonce and never without one. */
  useNonce?: boolean;
}

const DEFAULTS = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "upgrade-insecure-requests",
];

/** Sets a Content-Security-Policy on every response. */
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const { reportOnly = false, reportTo, useNonce = false } = options;
  const own = options.csp ?? [];
  const nameOf = (directive: string) => directive.split(" ")[0];
  const names = new Set(own.map(nameOf));
  const directives = [...DEFAULTS.filter((directive) => !names.has(nameOf(directive))), ...own];
  if (reportTo) directives.push("report-to csp-endpoint", `report-uri ${reportTo}`);
  const header = `Content-Security-Policy${reportOnly ? "-Report-Only" : ""}`;
  const policy = directives.join("; ");
  // A document without an inline element has no nonce and needs no exception at all.
  const strict = policy.replaceAll(" 'unsafe-inline'", "");

  return async function setPolicy(ctx) {
    const response = await ctx.next();
    const nonce = (response as { [NONCE]?: string })[NONCE];
    const value = !useNonce
      ? policy
      : nonce === undefined
      ? strict
      : policy.replaceAll("'unsafe-inline'", `'nonce-${nonce}'`);
    response.headers.set(header, value);
    if (reportTo) response.headers.set("Reporting-Endpoints", `csp-endpoint="${reportTo}"`);
    return response;
  };
}
