import { page } from "fresh";
import { EmptyState } from "@/components/EmptyState.tsx";
import { textLimit } from "@/components/FormField.tsx";
import { Inline } from "@/components/Inline.tsx";
import { Page } from "@/components/Page.tsx";
import { Tabs } from "@/components/Tabs.tsx";
import { Unfold } from "@/components/Unfold.tsx";
import { define } from "@/lib/app/define.ts";
import { helpTopics } from "@/lib/help/entries.ts";
import { type HelpAnswer, HelpQuery } from "@/lib/help/schema.ts";
import { getHelp } from "@/lib/help/service.ts";
import type { HelpEntry, HelpSite } from "@/lib/help/types.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";
import { LIMITS } from "@/lib/limits.ts";
import { showInvisible } from "@/lib/text/clean.ts";
import { formatCount, plural } from "@/lib/text/count.ts";
import { paths, withQuery } from "@/lib/urls.ts";

const AUDIENCES = [[undefined, "Everyone"], ["human", "People"], ["agent", "Agents"]] as const;

/** How many answers to a question are shown in full, and how many of a topic in its list. */
const OPEN = 5;

/** The topic that is folded entirely, since mostly agents need it. */
const ERRORS = "topic-errors";

export const handler = define.handlers({
  async GET(ctx) {
    const query = parsePageQuery(HelpQuery, ctx.url);
    // The page shows every answer, since each error code links to its own.
    const { q, audience } = query;
    return page({ query, help: await getHelp(ctx.state.deps, { q, audience }) });
  },
});

export default define.page<typeof handler>(function Help({ data, state }) {
  const { query, help } = data;
  const { env } = state.deps;
  const { q, audience } = query;
  const topics = topicsOf(help, state.deps);
  const heading = q ? `Help on “${showInvisible(q)}”` : "Help";
  return (
    <Page
      deps={state.deps}
      title={heading}
      description="Answers for people and agents, including one for every error code."
      path={q ? undefined : paths.help}
      json={withQuery(`${paths.api}/help`, { q, audience })}
      lead={!q && "Ask in your own words, or pick a topic."}
      first={
        <form class="search" action={paths.help} role="search" aria-label="Search help">
          <label for="q" class="quiet">Question</label>
          <input
            id="q"
            name="q"
            type="search"
            dir="auto"
            value={q ?? ""}
            {...textLimit(LIMITS.helpQueryMax)}
            placeholder="Search help"
          />
          {audience && <input type="hidden" name="audience" value={audience} />}
          <button type="submit" class="button">Search</button>
        </form>
      }
    >
      <div class="answers">
        <div class="section-head">
          {!q && help.count > 0 && <h2 class="tally">{plural(help.count, "answer")}</h2>}
          <Tabs
            label="Audience"
            tabs={AUDIENCES.map(([value, name]) => ({
              name,
              href: withQuery(paths.help, { q, audience: value }),
              isCurrent: value === audience,
            }))}
          />
        </div>
        {!q && (
          <nav class="toc" aria-label="Topics">
            <ul class="plain cluster">
              {topics.map(({ id, name, entries }) => (
                <li key={id}>
                  <a class="chip" href={`#${id}`}>
                    {name} <span class="dim">{formatCount(entries.length)}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {help.entries.length === 0 && (
          <EmptyState title="No answers found">
            <p>
              Try fewer or simpler words, or {env.contactEmail
                ? <a href={`mailto:${env.contactEmail}`}>ask the operator</a>
                : <a href={paths.report}>report a problem</a>}.
            </p>
            <a class="button" href={paths.help} aria-current="false">See all answers</a>
          </EmptyState>
        )}
        {topics.map(({ id, name, entries }) => {
          const shown = q !== undefined
            ? entries.length
            : id === ERRORS && audience !== "agent"
            ? 0
            : OPEN;
          const rest = entries.slice(shown);
          return (
            <section key={id} aria-labelledby={id} class="topic">
              <h2 id={id}>{name}</h2>
              <div>
                {entries.slice(0, shown).map((entry, i) => (
                  <Answer key={entry.id} entry={entry} isOpen={q !== undefined && i < OPEN} />
                ))}
                {rest.length > 0 && (
                  <Unfold
                    id={`${id}-more`}
                    head={plural(rest.length, shown === 0 ? "error code" : "more answer")}
                  >
                    {rest.map((entry) => <Answer key={entry.id} entry={entry} />)}
                  </Unfold>
                )}
              </div>
            </section>
          );
        })}
        {q && help.count > 0 && (
          <p class="more">
            <a href={paths.help} aria-current="false">See all answers</a>
          </p>
        )}
      </div>
    </Page>
  );
});

/** All answers by topic, or those to a question, by relevance. */
function topicsOf({ query, entries, count }: HelpAnswer, site: HelpSite) {
  const ids = new Set(entries.map(({ id }) => id));
  const topics = query === null
    ? helpTopics(site).map(({ id, name, entries }) => ({
      id: `topic-${id}`,
      name,
      entries: entries.filter(({ id }) => ids.has(id)),
    }))
    : [{ id: "answers", name: plural(count, "answer"), entries }];
  return topics.filter(({ entries }) => entries.length > 0);
}

function Answer({ entry: { id, q, a }, isOpen }: { entry: HelpEntry; isOpen?: boolean }) {
  return (
    <Unfold id={id} head={<h3>{q}</h3>} isOpen={isOpen}>
      <p>
        <Inline text={a} />
      </p>
      <p class="dim">
        <a rel="bookmark" href={paths.helpEntry(id)}>Link to this answer</a>
      </p>
    </Unfold>
  );
}
