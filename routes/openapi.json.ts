import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import { cached, type Entity, entity } from "@/lib/http/respond.ts";
import { buildDocument } from "@/lib/openapi/document.ts";

const documents = new WeakMap<Deps, Entity>();

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    let document = documents.get(deps);
    if (document === undefined) {
      document = entity(JSON.stringify(buildDocument(deps.env, deps.urls)));
      documents.set(deps, document);
    }
    return cached(ctx.req, document, { maxAge: 300 });
  },
});
