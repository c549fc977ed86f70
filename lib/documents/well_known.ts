import { DAY_MS, isoTime } from "../clock.ts";
import type { Core } from "../core.ts";
import { TYPES } from "../http/respond.ts";
import { paths } from "../urls.ts";

/** `/.well-known/api-catalog` (RFC 9727), a link set (RFC 9264). */
export function apiCatalog({ urls }: Core) {
  return {
    linkset: [{
      anchor: urls.to(paths.api),
      "service-desc": [{ href: urls.to(paths.openapi), type: "application/json" }],
      "service-doc": [
        { href: urls.to(paths.apiReference), type: "text/html" },
        { href: urls.to(paths.markdown(paths.apiReference)), type: "text/markdown" },
      ],
      "service-meta": [{ href: urls.to(paths.apiMeta), type: "application/json" }],
    }, {
      anchor: urls.to(paths.mcp),
      "service-desc": [{ href: urls.to(paths.mcpCard), type: TYPES.serverCard }],
      "service-doc": [{ href: urls.to(paths.agents), type: "text/html" }],
    }],
  };
}

/** `/.well-known/security.txt` (RFC 9116). It expires a year after the start of this UTC day. */
export function securityText({ env, urls, clock }: Core): string {
  const today = clock.now() - clock.now() % DAY_MS;
  const contact = env.contactEmail ? `mailto:${env.contactEmail}` : urls.to(paths.about);
  return [
    `Contact: ${contact}`,
    `Expires: ${isoTime(today + 365 * DAY_MS)}`,
    "Preferred-Languages: en",
    `Canonical: ${urls.to(paths.securityText)}`,
    "",
  ].join("\n");
}
