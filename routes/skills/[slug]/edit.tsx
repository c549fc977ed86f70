import { page } from "fresh";
import { type EditData, EditPage } from "@/components/EditPage.tsx";
import { SKILL_LABELS, SkillFields } from "@/components/SkillFields.tsx";
import { define } from "@/lib/app/define.ts";
import {
  editKeyOf,
  NO_STORE,
  readTyped,
  requireCurrent,
  submitForm,
  textOf,
  valuesOf,
} from "@/lib/http/forms.ts";
import { parseInput } from "@/lib/http/input.ts";
import { seeOther } from "@/lib/http/respond.ts";
import { SKILL_FORM, skillPatchFromForm } from "@/lib/skills/form.ts";
import { SkillPatch } from "@/lib/skills/schema.ts";
import { getSkill, updateSkill } from "@/lib/skills/service.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const skill = await getSkill(ctx.state.deps, ctx.params.slug!);
    const values = valuesOf(skill, SKILL_FORM);
    return page<EditData>({ name: skill.title, values, problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const values = await readTyped(ctx);
    const skill = await getSkill(deps, slug);
    const edit = () =>
      updateSkill(deps, {
        slug,
        editKey: editKeyOf(values),
        caller,
        readPatch: () => parseInput(SkillPatch, skillPatchFromForm(values, skill.content)),
        requireCurrent: (updatedAt) => requireCurrent(values, updatedAt),
      });
    const result = await submitForm(edit);
    if (result.ok) return seeOther(deps.urls, `${paths.skill(slug)}#saved`);
    const { init, problems } = result;
    return page<EditData>({ name: skill.title, values, problems }, init);
  },
});

export default define.page<typeof handler>(function EditSkill({ data, state, params }) {
  const slug = params.slug!;
  return (
    <EditPage
      {...data}
      deps={state.deps}
      kind="skill"
      slug={slug}
      claim={textOf(data.values, "sourceUrl") ? paths.claimOf(paths.skill(slug)) : undefined}
      Fields={SkillFields}
      labels={SKILL_LABELS}
    />
  );
});
