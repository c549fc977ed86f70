import { EditKey } from "@/components/EditKey.tsx";
import { InstallCommands } from "@/components/InstallCommands.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { SKILL_LABELS, SkillFields } from "@/components/SkillFields.tsx";
import { SubmitPage } from "@/components/SubmitPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { submissionHandlers } from "@/lib/site/submission_handlers.ts";
import { SKILL_FORM } from "@/lib/skills/form.ts";
import { SkillInput } from "@/lib/skills/schema.ts";
import { type CreatedSkill, createSkill } from "@/lib/skills/service.ts";
import { shownSwitches } from "@/lib/switches.ts";
import { paths } from "@/lib/urls.ts";

export const handler = submissionHandlers({
  form: SKILL_FORM,
  schema: SkillInput,
  create: createSkill,
  fieldOf: { duplicate_skill: "content" },
});

export default define.page<typeof handler>(async function SubmitSkill({ data, state: { deps } }) {
  if (data.created !== undefined) return <Shared created={data.created} deps={deps} />;
  const switches = await shownSwitches(deps);
  return (
    <SubmitPage
      deps={deps}
      data={data}
      title="Share a skill"
      description="Share instructions that agents can copy"
      when={switches?.submissionsPaused ? null : "live at once"}
      needed="four"
      path={paths.skillSubmit}
      api={paths.apiSkills}
      example={paths.apiOperation("createSkill")}
      Fields={SkillFields}
      labels={SKILL_LABELS}
      duplicate={(slug) =>
        deps.skills.has(slug)
          ? (
            <>
              This content is shared already:{" "}
              <a href={paths.skill(slug)}>see its page</a>. If you did that a moment ago, it is
              saved; its edit key was shown once.
            </>
          )
          : "The skill with this content is not public: the operator hid it."}
      button="Share it"
    />
  );
});

function Shared({ created, deps }: { created: CreatedSkill; deps: Deps }) {
  const { skill, editKey } = created;
  return (
    <main id="main" class="page narrow">
      <PageHead deps={deps} title="Shared" />
      <h1>It is in the index</h1>
      <p class="lead">
        <a href={paths.skill(skill.slug)} dir="auto">{skill.title}</a> is live now.
      </p>
      <EditKey editKey={editKey} form={paths.skillEdit(skill.slug)} />
      <section class="panel" aria-labelledby="install">
        <h2 id="install">How others install it</h2>
        <InstallCommands install={skill.install} />
      </section>
    </main>
  );
}
