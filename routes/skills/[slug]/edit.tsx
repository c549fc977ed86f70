import { page } from "fresh";
import { type FormValues, ProblemSummary, TextField } from "@/components/FormField.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { SKILL_LABELS, SkillFields } from "@/components/SkillFields.tsx";
import { define } from "@/lib/define.ts";
import type { FieldProblem } from "@/lib/errors.ts";
import { parseInput, readForm } from "@/lib/http/input.ts";
import { seeOther } from "@/lib/http/respond.ts";
import { submitForm, textOf } from "@/lib/site/forms.ts";
import { skillPatchFromForm } from "@/lib/skills/form.ts";
import { type FullSkill, SkillPatch } from "@/lib/skills/schema.ts";
import { getSkill, requireSkillKey, updateSkill } from "@/lib/skills/service.ts";
import { paths } from "@/lib/urls.ts";

interface Data {
  skill: FullSkill;
  values: FormValues;
  problems: FieldProblem[];
}

const NO_STORE = { headers: { "Cache-Control": "private, no-store" } };

export const handler = define.handlers({
  async GET(ctx) {
    const skill = await getSkill(ctx.state.deps, ctx.params.slug!);
    return page<Data>({ skill, values: toValues(skill), problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const skill = await getSkill(deps, slug);
    const values = await readForm(ctx.req);
    const editKey = textOf(values, "editKey")?.trim() ?? "";
    const result = await submitForm(async () => {
      await requireSkillKey(deps, { slug, editKey, caller });
      const patch = parseInput(SkillPatch, skillPatchFromForm(values, skill.content));
      return await updateSkill(deps, { slug, editKey, patch, caller });
    }, { duplicate_skill: "content", bad_edit_key: "editKey" });
    if (result.ok) return seeOther(deps.urls, paths.skill(slug));
    const { status, problems } = result;
    return page<Data>({ skill, values, problems }, { ...NO_STORE, status });
  },
});

function toValues(skill: FullSkill): FormValues {
  return Object.fromEntries(
    Object.keys(SkillPatch.shape).map((name) => {
      const value = skill[name as keyof typeof SkillPatch.shape];
      return [name, value === null ? undefined : value];
    }),
  );
}

export default define.page<typeof handler>(function EditSkill({ data, state }) {
  const { skill, values, problems } = data;
  return (
    <main id="main" class="page narrow">
      <PageHead title={`Edit ${skill.title}`} urls={state.deps.urls} />
      <h1>
        Edit <span dir="auto">{skill.title}</span>
      </h1>
      <p class="lead">
        For whoever holds the edit key that was shown when{" "}
        <a href={paths.skill(skill.slug)}>the skill</a> was shared.
      </p>
      <ProblemSummary problems={problems} labels={SKILL_LABELS} />
      <form method="post" action={paths.skillEdit(skill.slug)} class="form">
        <TextField
          name="editKey"
          label={SKILL_LABELS.editKey!}
          type="password"
          problems={problems}
          required
          value={textOf({ editKey: values.editKey ?? "" }, "editKey")}
          autocomplete="current-password"
          hint={
            <>
              Starts with <code>pik_</code>.
            </>
          }
        />
        <SkillFields values={values} problems={problems} />
        <button type="submit" class="button primary">Save</button>
      </form>
    </main>
  );
});
