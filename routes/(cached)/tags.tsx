import { EmptyState } from "@/components/EmptyState.tsx";
import { Page } from "@/components/Page.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { countTags, type TagCount } from "@/lib/discovery/counts.ts";
import { formatCount } from "@/lib/text/count.ts";
import { paths } from "@/lib/urls.ts";

/** The maximum number of tags on the page, and how many of them are at the top. */
const SHOWN = 300;
const TOP = 12;

export default define.page(function TagIndex({ state: { deps } }) {
  const { tags, isCut } = shownTags(deps);
  return (
    <Page
      deps={deps}
      title="Tags"
      description="Browse projects by tag, most used first."
      path={paths.tags}
      lead="Browse projects by topic, in their makers' own words. Each tag has its own feed."
    >
      {tags.length > 0
        ? (
          <>
            <section aria-labelledby="most-used">
              <h2 id="most-used">Most used</h2>
              <ul class="plain leaders index-columns">
                {tags.slice(0, TOP).map((tag) => <TagLine key={tag.tag} {...tag} />)}
              </ul>
            </section>
            {tags.length > TOP && (
              <section aria-labelledby="others">
                <h2 id="others">{isCut ? "More tags" : "All other tags"}, A to Z</h2>
                <div class="index-columns">
                  {byInitial(tags.slice(TOP)).map(([initial, some]) => (
                    <section key={initial} aria-label={initial}>
                      <h3>{initial}</h3>
                      <ul class="plain">
                        {some.map((tag) => <TagLine key={tag.tag} {...tag} />)}
                      </ul>
                    </section>
                  ))}
                </div>
              </section>
            )}
          </>
        )
        : (
          <EmptyState title="No tags yet">
            <p>
              <a class="button primary" href={paths.submit}>Submit a project with tags</a>
            </p>
          </EmptyState>
        )}
    </Page>
  );
});

/** The most used tags. Tags with equal counts are shown together or not at all. */
function shownTags(deps: Deps): { tags: TagCount[]; isCut: boolean } {
  const tags = countTags(deps, SHOWN + 1);
  if (tags.length <= SHOWN) return { tags, isCut: false };
  const oftener = tags.filter(({ count }) => count > tags[SHOWN]!.count);
  return { tags: oftener.length > 0 ? oftener : tags.slice(0, SHOWN), isCut: true };
}

function TagLine({ tag, count }: TagCount) {
  return (
    <li class="leader">
      <a href={paths.tag(tag)} aria-current="false">{tag}</a>
      <span class="dots" aria-hidden="true" /> <span>{formatCount(count)}</span>
    </li>
  );
}

/** Tags alphabetically, grouped by first letter; those that start with a digit come first. */
function byInitial(tags: readonly TagCount[]): [initial: string, tags: TagCount[]][] {
  const sorted = [...tags].sort((a, b) => a.tag < b.tag ? -1 : 1);
  const groups = Map.groupBy(sorted, ({ tag }) => /^\d/.test(tag) ? "0–9" : tag[0]!.toUpperCase());
  return [...groups];
}
