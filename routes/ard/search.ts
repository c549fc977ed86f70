import { define } from "@/lib/app/define.ts";
import { answered } from "@/lib/ard/answer.ts";
import { readJson } from "@/lib/http/body.ts";
import { json } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  POST: (ctx) =>
    answered(ctx, async () => {
      // It imports the MCP server, which startup doesn't load.
      const { searchEntries } = await import("@/lib/ard/registry.ts");
      return json(await searchEntries(ctx.state.deps, await readJson(ctx.req)));
    }),
});
