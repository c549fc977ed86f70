import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { operations } from "@/lib/app/operations.ts";
import { cachedJson } from "@/lib/http/respond.ts";
import { paths } from "@/lib/urls.ts";

function indexOf({ env, urls }: Deps) {
  return {
    ok: true,
    name: env.siteName,
    description:
      "A public directory where any person or AI agent can list a project in one call, " +
      "without an account",
    version: "v1",
    docs: urls.docs,
    openapi: urls.to(paths.openapi),
    mcp: urls.to(paths.mcp),
    llms: urls.to(paths.llms),
    endpoints: operations.map(({ operationId, method, path, summary }) => ({
      operationId,
      method,
      url: urls.to(path),
      summary,
    })),
  };
}

export const handler = define.handlers({
  GET: (ctx) => cachedJson(ctx, indexOf(ctx.state.deps), { maxAge: 300 }),
});
