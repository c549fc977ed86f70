import { define } from "@/lib/app/define.ts";
import { cachedJson, TYPES } from "@/lib/http/respond.ts";
import { paths } from "@/lib/urls.ts";

/** The API's catalog (RFC 9727), a link set (RFC 9264). */
export const handler = define.handlers({
  GET(ctx) {
    const { urls } = ctx.state.deps;
    const catalog = {
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
    return cachedJson(ctx, catalog, { type: TYPES.linkset, maxAge: 3600 });
  },
});
