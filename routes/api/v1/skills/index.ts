import { define } from "@/lib/app/define.ts";
import { EDIT_KEY_NOTICE, REPEATED_NOTICE } from "@/lib/entries/edit_key.ts";
import { readJson } from "@/lib/http/body.ts";
import { readIdempotencyKey } from "@/lib/http/idempotency.ts";
import { parseBody, parseQuery } from "@/lib/http/input.ts";
import { cached, json } from "@/lib/http/respond.ts";
import { BODY_LIMITS } from "@/lib/limits.ts";
import { misplacedDryRun, SubmitQuery } from "@/lib/openapi/shapes.ts";
import { skillsAnswer } from "@/lib/skills/answers.ts";
import { SkillInput } from "@/lib/skills/schema.ts";
import { createSkill, previewSkill } from "@/lib/skills/service.ts";
import { skillWarnings } from "@/lib/skills/warnings.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { content, link } = await skillsAnswer(ctx.state.deps, ctx.url);
    return cached(ctx, content, { link });
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const { dryRun } = parseQuery(SubmitQuery, ctx.url);
    const body = await readJson(ctx.req, { maxBytes: BODY_LIMITS.skill });
    const { idempotencyKey, problems } = readIdempotencyKey(ctx.req.headers);
    const others = [...caller.problems, ...problems, ...misplacedDryRun(body)];
    const { input, ignoredFields } = parseBody(SkillInput, body, others);
    if (dryRun) {
      const skill = await previewSkill(deps, { input, caller });
      const warnings = skillWarnings(skill);
      return json({ ok: true, dryRun: true, skill, warnings, ignoredFields });
    }
    const { skill, editKey } = await createSkill(deps, { input, caller, idempotencyKey });
    return json({
      ok: true,
      skill,
      warnings: skillWarnings(skill),
      editKey: editKey ?? undefined,
      editKeyNotice: editKey === null ? REPEATED_NOTICE : EDIT_KEY_NOTICE,
      ignoredFields,
    }, { status: 201, headers: { Location: skill.apiUrl } });
  },
});
