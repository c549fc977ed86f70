import { EditKey } from "@/components/EditKey.tsx";
import { InstallCommands } from "@/components/InstallCommands.tsx";
import { Page } from "@/components/Page.tsx";
import { SkillContent } from "@/components/SkillContent.tsx";
import { SKILL_LABELS, SkillFields } from "@/components/SkillFields.tsx";
import { SkillBrief } from "@/components/SkillRow.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { SubmitPage } from "@/components/SubmitPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { nameOfKind } from "@/lib/catalog/skill_kinds.ts";
import { submissionHandlers } from "@/lib/site/submission_handlers.ts";
import { SKILL_FORM } from "@/lib/skills/form.ts";
import { SkillInput } from "@/lib/skills/schema.ts";
import { createSkill, previewSkill } from "@/lib/skills/service.ts";
import { skillWarnings } from "@/lib/skills/warnings.ts";
import { shownSwitches } from "@/lib/switches.ts";
import { paths } from "@/lib/urls.ts";

export const handler = submissionHandlers({
  form: SKILL_FORM,
  schema: SkillInput,
  create: createSkill,
  preview: previewSkill,
});

export default define.page<typeof handler>(async function SubmitSkill({ data, state: { deps } }) {
  if (data.created !== undefined) return <Shared created={data.created} deps={deps} />;
  const switches = await shownSwitches(deps);
  return (
    <SubmitPage
      deps={deps}
      data={data}
      title="Share a skill"
      description="Share instructions any agent can use"
      when={switches?.submissionsPaused ? null : "live immediately"}
      needed="title, summary, kind and content"
      path={paths.skillSubmit}
      api={paths.apiSkills}
      example={paths.apiOperation("createSkill")}
      Fields={SkillFields}
      labels={SKILL_LABELS}
      duplicate={(slug) =>
        deps.skills.has(slug)
          ? (
            <>
              <a href={paths.skill(slug)}>See the skill</a>. If you just shared it, it was saved,
              and its edit key was on the confirmation page.
            </>
          )
          : "A skill with this content exists but was hidden."}
      button="Share skill"
      preview={data.preview && (
        <>
          <p class="row-name">
            <strong dir="auto">{data.preview.title}</strong>{" "}
            <span class="label">{nameOfKind(data.preview.kind)}</span>
          </p>
          <p dir="auto">{data.preview.summary}</p>
          <SkillContent skill={data.preview} />
        </>
      )}
    />
  );
});

function Shared(
  { created, deps }: { created: Awaited<ReturnType<typeof createSkill>>; deps: Deps },
) {
  const { skill, editKey } = created;
  return (
    <Page deps={deps} title="Shared" isNarrow>
      <h1>Your skill is live</h1>
      <p class="lead">Save your edit key, then share the install command.</p>
      <ul class="plain briefs">
        <SkillBrief skill={skill} />
      </ul>
      {skillWarnings(skill).map(({ message, frontmatter }) => (
        <section class="panel" key={message}>
          <p>{message}.</p>
          {frontmatter && <Snippet label="Frontmatter" text={frontmatter} />}
        </section>
      ))}
      <EditKey editKey={editKey} form={paths.editOf(paths.skill(skill.slug))} />
      <section class="panel" aria-labelledby="install">
        <h2 id="install">Install command</h2>
        <InstallCommands install={skill.install} />
        <p class="more">
          <a class="button primary" href={paths.skill(skill.slug)}>See your skill</a>
        </p>
      </section>
    </Page>
  );
}
