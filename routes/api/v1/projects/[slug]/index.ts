import { define } from "@/lib/app/define.ts";
import { projectAnswer } from "@/lib/discovery/service.ts";
import { ownerRequest } from "@/lib/entries/edit_key.ts";
import { readJson } from "@/lib/http/body.ts";
import { parseInput, parseQuery } from "@/lib/http/input.ts";
import { cached, entity, json, TYPES, wantsMarkdown } from "@/lib/http/respond.ts";
import { listingCard } from "@/lib/listings/markdown.ts";
import { FormatQuery, ListingPatch } from "@/lib/listings/schema.ts";
import { getListing, updateListing } from "@/lib/listings/service.ts";
import { withdrawEntry } from "@/lib/owners/withdrawal.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { format } = parseQuery(FormatQuery, ctx.url);
    const slug = ctx.params.slug!;
    const markdown = format === "md" ||
      (!ctx.url.searchParams.has("format") && wantsMarkdown(ctx.req, "application/json"));
    const content = markdown
      ? entity(listingCard(await getListing(deps, slug)), TYPES.markdown)
      : projectAnswer(deps, slug) ??
        entity(JSON.stringify({ ok: true, project: await getListing(deps, slug) }));
    return cached(ctx, content, { negotiated: true });
  },

  async PATCH(ctx) {
    const project = await updateListing(ctx.state.deps, {
      ...ownerRequest(ctx),
      readPatch: async () => parseInput(ListingPatch, await readJson(ctx.req)),
    });
    return json({ ok: true, project });
  },

  async DELETE(ctx) {
    const own = ownerRequest(ctx);
    await withdrawEntry(ctx.state.deps, "listing", own);
    return json({ ok: true, slug: own.slug, withdrawn: true });
  },
});
