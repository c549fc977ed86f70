import { define } from "@/lib/app/define.ts";
import { projectsAnswer } from "@/lib/discovery/service.ts";
import { EDIT_KEY_NOTICE, REPEATED_NOTICE } from "@/lib/entries/edit_key.ts";
import { readJson } from "@/lib/http/body.ts";
import { readIdempotencyKey } from "@/lib/http/idempotency.ts";
import { parseBody, parseQuery } from "@/lib/http/input.ts";
import { cached, json } from "@/lib/http/respond.ts";
import { badgeSnippets } from "@/lib/listings/badge.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { createListing, previewListing } from "@/lib/listings/service.ts";
import { misplacedDryRun, SubmitQuery } from "@/lib/openapi/shapes.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { content, link } = await projectsAnswer(ctx.state.deps, ctx.url);
    return cached(ctx, content, { link });
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const { dryRun } = parseQuery(SubmitQuery, ctx.url);
    const body = await readJson(ctx.req);
    const { idempotencyKey, problems } = readIdempotencyKey(ctx.req.headers);
    const others = [...caller.problems, ...problems, ...misplacedDryRun(body)];
    const { input, ignoredFields } = parseBody(ListingInput, body, others);
    if (dryRun) {
      const project = await previewListing(deps, { input, caller });
      return json({ ok: true, dryRun: true, project, ignoredFields });
    }
    const { project, editKey, pending } = await createListing(deps, {
      input,
      caller,
      idempotencyKey,
    });
    return json({
      ok: true,
      project,
      editKey: editKey ?? undefined,
      editKeyNotice: editKey === null ? REPEATED_NOTICE : EDIT_KEY_NOTICE,
      badge: badgeSnippets(project),
      pending,
      ignoredFields,
    }, { status: 201, headers: { Location: project.apiUrl } });
  },
});
