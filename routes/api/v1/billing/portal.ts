import { define } from "@/lib/app/define.ts";
import { ownerRequest } from "@/lib/entries/edit_key.ts";
import { readJson } from "@/lib/http/body.ts";
import { parseInput } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { openBillingPortal } from "@/lib/promotions/portal.ts";
import { PortalInput } from "@/lib/promotions/schema.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { slug } = parseInput(PortalInput, await readJson(ctx.req));
    const { portalUrl } = await openBillingPortal(ctx.state.deps, { ...ownerRequest(ctx), slug });
    return json({ ok: true, portalUrl });
  },
});
