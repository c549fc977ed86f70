import { define } from "@/lib/define.ts";
import { EDIT_KEY_NOTICE } from "@/lib/edit_key.ts";
import { callerProblems } from "@/lib/http/caller.ts";
import { parseInput, parseQuery, readJson } from "@/lib/http/input.ts";
import { cached, entity, json, pageLinks } from "@/lib/http/respond.ts";
import { BODY_LIMITS } from "@/lib/limits.ts";
import { SkillInput, SkillQuery } from "@/lib/skills/schema.ts";
import { createSkill } from "@/lib/skills/service.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    const query = parseQuery(SkillQuery, ctx.url);
    const { items, ...page } = deps.skills.list(query, deps.clock.now());
    const content = entity(JSON.stringify({ ok: true, skills: items, ...page }));
    return cached(ctx.req, content, { headers: pageLinks(deps.urls, ctx.url, page) });
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const body = await readJson(ctx.req, { maxBytes: BODY_LIMITS.skill });
    const input = parseInput(SkillInput, body, callerProblems(caller));
    const { skill, editKey } = await createSkill(deps, { input, caller });
    return json({ ok: true, skill, editKey, editKeyNotice: EDIT_KEY_NOTICE }, {
      status: 201,
      headers: { Location: skill.apiUrl },
    });
  },
});
