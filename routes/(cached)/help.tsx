import { page } from "fresh";
import { EmptyState } from "@/components/EmptyState.tsx";
import { plural } from "@/lib/text/count.ts";
import { Inline } from "@/components/Inline.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Tabs } from "@/components/Tabs.tsx";
import { define } from "@/lib/define.ts";
import { HelpQuery } from "@/lib/help/schema.ts";
import { getHelp } from "@/lib/help/service.ts";
import { LIMITS } from "@/lib/limits.ts";
import { parsePageQuery } from "@/lib/site/forms.ts";
import { paths, withQuery } from "@/lib/urls.ts";

const AUDIENCES = [[undefined, "Everyone"], ["human", "People"], ["agent", "Agents"]] as const;

export const handler = define.handlers({
  async GET(ctx) {
    const query = parsePageQuery(HelpQuery, ctx.url);
    // A page shows every answer: each error code leads to its own.
    const { q, audience } = query;
    return page({ query, help: await getHelp(ctx.state.deps, { q, audience }) });
  },
});

export default define.page<typeof handler>(function Help({ data, state }) {
  const { query, help } = data;
  const { env, urls } = state.deps;
  const { q, audience } = query;
  return (
    <main id="main" class="page narrow">
      <PageHead
        title={`Help · ${env.siteName}`}
        description="Questions and answers for people and agents, one for each error code."
        urls={urls}
        path={q ? undefined : paths.help}
        json={`${paths.api}/help`}
      />
      <h1>Help</h1>
      <p class="lead">{help.brief.summary}</p>
      <form class="search" action={paths.help} role="search" aria-label="Search the help">
        <label for="q" class="quiet">Question</label>
        <input
          id="q"
          name="q"
          type="search"
          value={q ?? ""}
          maxLength={LIMITS.helpQueryMax}
          placeholder="What do you want to know?"
        />
        {audience && <input type="hidden" name="audience" value={audience} />}
        <button type="submit" class="button">Search</button>
      </form>
      <div class="section-head">
        <h2 class="tally">{plural(help.count, "answer")}</h2>
        <Tabs
          label="Audience"
          tabs={AUDIENCES.map(([value, name]) => ({
            name,
            href: withQuery(paths.help, { q, audience: value }),
            isCurrent: value === audience,
          }))}
        />
      </div>
      {help.entries.length === 0 && (
        <EmptyState title="No answer has these words.">
          <p>
            <a href={paths.help} aria-current="false">See all answers</a>
            {env.contactEmail && (
              <>
                {" "}or <a href={`mailto:${env.contactEmail}`}>ask the operator</a>
              </>
            )}.
          </p>
        </EmptyState>
      )}
      <div class="answers">
        {help.entries.map(({ id, q, a }) => (
          <article key={id} id={id}>
            <h3>
              <a href={paths.helpEntry(id)}>{q}</a>
            </h3>
            <p>
              <Inline text={a} />
            </p>
          </article>
        ))}
      </div>
    </main>
  );
});
