import type { Deps } from "../lib/app/deps.ts";
import { countCategories, countTags, countTools, largestFirst } from "../lib/discovery/counts.ts";
import type { ListPage } from "../lib/http/paging.ts";
import { formatCount } from "../lib/text/count.ts";
import { paths } from "../lib/urls.ts";
import { TagCounts } from "./Tags.tsx";

/** Lists with up to this many entries have nothing next to them. */
const SHORT = 3;

/** The class around a list and its aside. Next to a short list there would be a gap. */
export function besideList({ items }: ListPage<unknown>): "columns" | undefined {
  return items.length > SHORT ? "columns" : undefined;
}

/** The categories with projects, largest first, in little space. */
export function CategoryChips({ deps }: { deps: Deps }) {
  const used = largestFirst(countCategories(deps)).filter(({ count }) => count > 0);
  if (used.length === 0) return null;
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <ul class="plain cluster">
        {used.map(({ slug, name, count }) => (
          <li key={slug}>
            <a class="chip" href={paths.category(slug)}>
              {name} <span class="dim">{formatCount(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The categories or tools with projects, largest first, and the current one, marked. */
export function Shelves({ deps, kind, current, title }: {
  deps: Deps;
  kind: "category" | "tool";
  current?: string;
  title: string;
}) {
  const rows = kind === "tool" ? countTools(deps) : countCategories(deps);
  const used = largestFirst<{ slug: string; name: string; count: number }>(rows)
    .filter(({ slug, count }) => count > 0 || slug === current);
  if (used.length === 0) return null;
  return (
    <section aria-labelledby="shelves">
      <h2 id="shelves">{title}</h2>
      <ul class="plain leaders">
        {used.map(({ slug, name, count }) => (
          <li key={slug} class="leader">
            <a href={paths[kind](slug)} aria-current={slug === current ? "page" : "false"}>
              {name}
            </a>
            <span class="dots" aria-hidden="true" /> <span>{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many tags a list links to. */
const TAGS = 12;

/** The most used tags, and a link to all of them. */
export function PopularTags({ deps }: { deps: Deps }) {
  const tags = countTags(deps, TAGS);
  if (tags.length === 0) return null;
  return (
    <section aria-labelledby="tags">
      <h2 id="tags">Popular tags</h2>
      <TagCounts tags={tags} />
      <p class="more">
        <a href={paths.tags}>All tags →</a>
      </p>
    </section>
  );
}

/** The feeds of a list. */
export function Follow({ feeds }: { feeds: { xml: string; json: string } }) {
  return (
    <section aria-labelledby="follow">
      <h2 id="follow">Follow this list</h2>
      <p class="more">
        <a href={feeds.xml}>RSS</a> · <a href={feeds.json}>JSON Feed</a>
      </p>
    </section>
  );
}
