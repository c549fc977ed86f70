import { define } from "@/lib/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { operations } from "@/lib/openapi/operations.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { env, urls } = ctx.state.deps;
    const body = {
      ok: true,
      name: env.siteName,
      description: "A public directory where any person or AI agent lists a project in one call, " +
        "without an account",
      version: "v1",
      docs: urls.docs,
      openapi: urls.to(paths.openapi),
      mcp: urls.to(paths.mcp),
      llms: urls.to(paths.llms),
      endpoints: operations.map(({ operationId, method, path, summary }) => ({
        operationId,
        method: method.toUpperCase(),
        url: urls.to(path),
        summary,
      })),
    };
    return cached(ctx.req, entity(JSON.stringify(body)), { maxAge: 300 });
  },
});
