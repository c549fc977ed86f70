import { define } from "@/lib/app/define.ts";
import { ownerRequest } from "@/lib/entries/edit_key.ts";
import { readJson } from "@/lib/http/body.ts";
import { parseInput, parseQuery } from "@/lib/http/input.ts";
import { cached, json, wantsMarkdown } from "@/lib/http/respond.ts";
import { BODY_LIMITS } from "@/lib/limits.ts";
import { withdrawEntry } from "@/lib/owners/withdrawal.ts";
import { skillAnswer } from "@/lib/skills/answers.ts";
import { noteInstall } from "@/lib/skills/copies.ts";
import { SkillFormatQuery, SkillPatch } from "@/lib/skills/schema.ts";
import { updateSkill } from "@/lib/skills/service.ts";
import { skillWarnings } from "@/lib/skills/warnings.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const slug = ctx.params.slug!;
    const { format, sha256 } = parseQuery(SkillFormatQuery, ctx.url);
    const asked = !ctx.url.searchParams.has("format") && wantsMarkdown(ctx.req, "application/json")
      ? "md"
      : format;
    const content = await skillAnswer(deps, { slug, format: asked, sha256 });
    // Fetched by install commands.
    const isFetched = format === "raw" && ctx.req.method === "GET";
    if (isFetched && sha256 !== undefined) await noteInstall(deps, slug, sha256);
    return cached(ctx, content, { negotiated: true });
  },

  async PATCH(ctx) {
    const maxBytes = BODY_LIMITS.skill;
    const skill = await updateSkill(ctx.state.deps, {
      ...ownerRequest(ctx),
      readPatch: async () => parseInput(SkillPatch, await readJson(ctx.req, { maxBytes })),
    });
    return json({ ok: true, skill, warnings: skillWarnings(skill) });
  },

  async DELETE(ctx) {
    const own = ownerRequest(ctx);
    await withdrawEntry(ctx.state.deps, "skill", own);
    return json({ ok: true, slug: own.slug, withdrawn: true });
  },
});
