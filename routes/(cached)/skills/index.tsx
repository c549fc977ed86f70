import { page } from "fresh";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Filters } from "@/components/Filters.tsx";
import { Fruitless, NearestNote } from "@/components/Fruitless.tsx";
import { besideList, Follow } from "@/components/ListAside.tsx";
import { namedSort, Orders, titledSort } from "@/components/Orders.tsx";
import { Page } from "@/components/Page.tsx";
import { givenPage, namedPage, Pager, PastTheEnd } from "@/components/Pager.tsx";
import { SkillList } from "@/components/SkillRow.tsx";
import { Tally } from "@/components/Tally.tsx";
import { define } from "@/lib/app/define.ts";
import { nameOfKind, skillKinds } from "@/lib/catalog/skill_kinds.ts";
import { nameOfTool, tools } from "@/lib/catalog/tools.ts";
import { browse } from "@/lib/discovery/browse.ts";
import { feedPaths } from "@/lib/documents/feeds.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";
import { SKILL_SORTS } from "@/lib/read_model/sorts.ts";
import { SkillBrowseQuery } from "@/lib/skills/schema.ts";
import { showInvisible } from "@/lib/text/clean.ts";
import { formatCount } from "@/lib/text/count.ts";
import { labelOf } from "@/lib/text/slug.ts";
import { accentClass } from "@/lib/themes/stylesheet.ts";
import { paths, withQuery } from "@/lib/urls.ts";

const KINDS = skillKinds.map(({ kind, name }) => [kind, name] as const);
const TOOLS = tools.map(({ slug, name }) => [slug, name] as const);

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    return page(await browse(deps, parsePageQuery(SkillBrowseQuery, ctx.url), deps.skills));
  },
});

export default define.page<typeof handler>(function Skills({ data, state, url }) {
  const { query, list, elsewhere } = data;
  const heading = titleOf(query);
  const isEmpty = state.deps.skills.size === 0;
  const { limit: _limit, offset, sort: _sort, ...others } = query;
  const filters = { ...others, sort: namedSort(query) };
  // There is no feed of a filtered list.
  const feeds = Object.values(others).some(Boolean) ? undefined : feedPaths({ kind: "skills" });
  const kinds = skillKinds.map((kind) => {
    const { total } = state.deps.skills.select({ kind: kind.kind, sort: "new", limit: 1 });
    return { ...kind, total };
  }).filter(({ kind, total }) => total > 0 || kind === query.kind);
  return (
    <Page
      deps={state.deps}
      title={heading}
      view={[query.q && titledSort(query, SKILL_SORTS), namedPage(query)]}
      description="Instructions any agent can use: SKILL.md, AGENTS.md, rules, prompts and workflows."
      path={offset === 0 && !query.q ? withQuery(paths.skills, filters) : undefined}
      json={withQuery(paths.apiSkills, { ...filters, ...givenPage(url, query) })}
      feed={feeds?.xml}
      lead={query.q
        ? undefined
        : "Instructions any agent can use. Copy a skill into your project, or share your own."}
      first={!isEmpty && (
        <>
          <a class="button" href={paths.skillSubmit}>Share a skill</a>
          <p class="hint">
            Skills aren't reviewed.<span class="wide">
              {" "}Each page lists the commands and links we found in the skill.
            </span>
          </p>
        </>
      )}
    >
      {query.q && <h1>{heading}</h1>}
      {!isEmpty && (
        <Filters
          action={paths.skills}
          label="Filter skills"
          query={query}
          choices={[
            { name: "kind", label: "Kind", any: "All", options: KINDS },
            { name: "worksWith", label: "Works with", any: "Any tool", options: TOOLS },
          ]}
          texts={{ category: "Category", tag: "Tag" }}
        />
      )}
      <div class={besideList(list)}>
        <div>
          {list.nearest && <NearestNote noun="skill" q={query.q} elsewhere={elsewhere} />}
          {!isEmpty && (
            <Tally list={list} noun="skill" narrowedBy={others} all={paths.skills}>
              <Orders query={query} action={paths.skills} orders={SKILL_SORTS} />
            </Tally>
          )}
          {list.items.length > 0
            ? (
              <SkillList
                skills={list.items}
                start={offset + 1}
                label={heading}
                whole={query.q !== undefined}
                now={state.deps.clock.now()}
              />
            )
            : list.total > 0
            ? <PastTheEnd url={url} />
            : isEmpty
            ? (
              <EmptyState title="No skills yet">
                <p>
                  <a class="button primary" href={paths.skillSubmit}>
                    Share the first skill
                  </a>
                </p>
              </EmptyState>
            )
            : (
              <Fruitless noun="skill" q={query.q} elsewhere={elsewhere}>
                <p>
                  <a href={paths.skills} aria-current="false">
                    {query.q === undefined ? "Show all skills" : "Clear the search"}
                  </a>{" "}
                  or <a href={paths.skillSubmit}>share the skill you were looking for</a>.
                </p>
              </Fruitless>
            )}
          <Pager url={url} list={list} />
        </div>
        {!isEmpty && (
          <aside class="side" aria-label="More lists">
            <section aria-labelledby="kinds">
              <h2 id="kinds">Kinds</h2>
              <ul class="plain leaders">
                {kinds.map(({ kind, name, accent, total }) => (
                  <li key={kind} class="leader">
                    <span class={`dot ${accentClass(accent)}`} aria-hidden="true" />
                    <a
                      href={withQuery(paths.skills, { kind })}
                      aria-current={kind === query.kind ? "page" : "false"}
                    >
                      {name}
                    </a>
                    <span class="dots" aria-hidden="true" /> <span>{formatCount(total)}</span>
                  </li>
                ))}
              </ul>
            </section>
            {feeds && <Follow feeds={feeds} />}
          </aside>
        )}
      </div>
    </Page>
  );
});

function titleOf(query: SkillBrowseQuery): string {
  const { q, sort, kind, worksWith, category, tag } = query;
  const order = SKILL_SORTS.find(({ id }) => id === sort);
  const text = [
    q ? `Skills for “${showInvisible(q)}”` : `${order?.name} skills`,
    worksWith && `${q ? "that work with" : "for"} ${nameOfTool(worksWith)}`,
    category && `in ${labelOf(category)}`,
    tag && `tagged ${tag}`,
  ].filter(Boolean).join(" ");
  return kind ? `${text}: ${nameOfKind(kind)}` : text;
}
