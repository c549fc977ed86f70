import { define } from "@/lib/define.ts";
import { requestEditKey, requireEntryKey } from "@/lib/edit_key.ts";
import { readJson } from "@/lib/http/body.ts";
import { parseInput, parseQuery } from "@/lib/http/input.ts";
import { cached, json, wantsMarkdown } from "@/lib/http/respond.ts";
import { BODY_LIMITS } from "@/lib/limits.ts";
import { skillAnswer } from "@/lib/skills/answers.ts";
import { SkillFormatQuery, SkillPatch } from "@/lib/skills/schema.ts";
import { updateSkill } from "@/lib/skills/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const slug = ctx.params.slug!;
    const { format } = parseQuery(SkillFormatQuery, ctx.url);
    const asked = !ctx.url.searchParams.has("format") && wantsMarkdown(ctx.req, "application/json")
      ? "md"
      : format;
    const content = await skillAnswer(deps, { slug, format: asked });
    return cached(ctx.req, content, { negotiated: true });
  },

  async PATCH(ctx) {
    const { deps, caller } = ctx.state;
    const target = { slug: ctx.params.slug!, editKey: requestEditKey(ctx.req.headers), caller };
    await requireEntryKey(deps.store, "skill", target);
    const patch = parseInput(SkillPatch, await readJson(ctx.req, { maxBytes: BODY_LIMITS.skill }));
    return json(ctx.req, { ok: true, skill: await updateSkill(deps, { ...target, patch }) });
  },
});
