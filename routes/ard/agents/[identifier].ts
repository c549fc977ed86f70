import { define } from "@/lib/app/define.ts";
import { answered } from "@/lib/ard/answer.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) =>
    answered(ctx, async () => {
      const { getEntry } = await import("@/lib/ard/registry.ts");
      return cachedJson(ctx, await getEntry(ctx.state.deps, lastPart(ctx.url)));
    }),
});

/** The last part of a path, decoded once. (Parameters keep `%3A`.) "" if it isn't valid text. */
function lastPart({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
  } catch {
    return "";
  }
}
