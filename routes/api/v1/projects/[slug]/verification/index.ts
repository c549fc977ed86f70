import { define } from "@/lib/app/define.ts";
import { EDIT_KEY_NOTICE } from "@/lib/entries/edit_key.ts";
import { readJsonIfAny } from "@/lib/http/body.ts";
import { parseInput } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { ClaimInput } from "@/lib/owners/openapi.ts";
import { startClaim } from "@/lib/owners/verification.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps } = ctx.state;
    const slug = ctx.params.slug!;
    const { editKey: own } = parseInput(ClaimInput, await readJsonIfAny(ctx.req));
    const { editKey, token, places } = await startClaim(deps, { slug, editKey: own });
    return json(ctx, {
      ok: true,
      slug,
      token,
      editKey,
      editKeyNotice: EDIT_KEY_NOTICE,
      places: places.map(({ method, where, content }) => ({ method, where, content })),
      checkUrl: deps.urls.to(paths.apiClaimCheck(slug)),
    });
  },
});
