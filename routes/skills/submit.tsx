import { page } from "fresh";
import { EditKey } from "@/components/EditKey.tsx";
import { type FormValues, ProblemSummary } from "@/components/FormField.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { SKILL_LABELS, SkillFields } from "@/components/SkillFields.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import type { FieldProblem } from "@/lib/errors.ts";
import { callerProblems } from "@/lib/http/caller.ts";
import { parseInput, readForm } from "@/lib/http/input.ts";
import { submitForm } from "@/lib/site/forms.ts";
import { skillFromForm } from "@/lib/skills/form.ts";
import { SkillInput } from "@/lib/skills/schema.ts";
import { type CreatedSkill, createSkill } from "@/lib/skills/service.ts";
import { paths } from "@/lib/urls.ts";

interface Data {
  values: FormValues;
  problems: FieldProblem[];
  /** The skill that has the same content. */
  duplicate?: string;
  created?: CreatedSkill;
}

const NO_STORE = { headers: { "Cache-Control": "private, no-store" } };

export const handler = define.handlers({
  GET(ctx) {
    return page<Data>({ values: fromQuery(ctx.url), problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const values = await readForm(ctx.req);
    const result = await submitForm(() => {
      const input = parseInput(SkillInput, skillFromForm(values), callerProblems(caller));
      return createSkill(deps, { input, caller });
    }, { duplicate_skill: "content" });
    if (result.ok) {
      return page<Data>({ values: {}, problems: [], created: result.value }, {
        ...NO_STORE,
        status: 201,
      });
    }
    const { status, problems, error } = result;
    const duplicate = (error.details as { slug?: string }).slug;
    return page<Data>({ values, problems, duplicate }, { ...NO_STORE, status });
  },
});

/** Fields in the query fill the form, so that an agent can hand its human one link. */
function fromQuery(url: URL): FormValues {
  const values: FormValues = {};
  for (const name of Object.keys(SkillInput.shape)) {
    const given = url.searchParams.getAll(name);
    if (given.length > 0) {
      values[name] = name === "worksWith" ? given.flatMap((v) => v.split(",")) : given.join(", ");
    }
  }
  return values;
}

export default define.page<typeof handler>(function SubmitSkill({ data, state }) {
  const { values, problems, duplicate, created } = data;
  const { urls, env } = state.deps;
  if (created !== undefined) return <Shared created={created} deps={state.deps} />;
  return (
    <main id="main" class="page narrow">
      <PageHead
        title={`Share a skill · ${env.siteName}`}
        description="Share instructions that agents can copy: free, no account, live at once."
        urls={urls}
        path={paths.skillSubmit}
      />
      <h1>Share a skill</h1>
      <p class="lead">
        Free, no account, live at once.
      </p>
      <p class="dim">
        Agents send the same fields as JSON, lists as arrays, to{" "}
        <code>POST {paths.apiSkills}</code>: <a href={paths.agents}>one call does it</a>.
      </p>
      <ProblemSummary problems={problems} labels={SKILL_LABELS} />
      {duplicate && (
        <p class="notice">
          This content is shared already: <a href={paths.skill(duplicate)}>see its page</a>.
        </p>
      )}
      <form method="post" action={paths.skillSubmit} class="form">
        <SkillFields values={values} problems={problems} />
        <p class="dim">
          By sharing you agree to the <a href={paths.terms}>terms</a>.
        </p>
        <button type="submit" class="button primary">Share it</button>
      </form>
    </main>
  );
});

function Shared({ created, deps }: { created: CreatedSkill; deps: Deps }) {
  const { skill, editKey } = created;
  return (
    <main id="main" class="page narrow">
      <PageHead title={`Shared · ${deps.env.siteName}`} urls={deps.urls} />
      <h1>It is in the index</h1>
      <p class="lead">
        <a href={paths.skill(skill.slug)} dir="auto">{skill.title}</a> is live now.
      </p>
      <EditKey editKey={editKey} />
      <section class="panel" aria-labelledby="install">
        <h2 id="install">How others install it</h2>
        <Snippet label="Download in a shell" text={skill.install.command} />
        {skill.install.npx && <Snippet label="With the skills client" text={skill.install.npx} />}
      </section>
    </main>
  );
}
