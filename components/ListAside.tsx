import type { Deps } from "../lib/app/deps.ts";
import { countCategories } from "../lib/discovery/counts.ts";
import { formatCount } from "../lib/text/count.ts";
import { paths } from "../lib/urls.ts";

/** Every category with the number of its projects. */
export function CategoryList({ deps }: { deps: Deps }) {
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <ul class="plain leaders">
        {countCategories(deps).map(({ slug, name, count }) => (
          <li key={slug} class="leader">
            <a href={paths.category(slug)} aria-current="false">{name}</a>
            <span class="dots" aria-hidden="true" /> <span>{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where a list can be followed. */
export function Follow({ feeds }: { feeds: { rss: string; json: string } }) {
  return (
    <section aria-labelledby="follow">
      <h2 id="follow">Follow this list</h2>
      <p class="cluster">
        <a class="button" href={feeds.rss}>RSS</a> <a class="button" href={feeds.json}>JSON Feed</a>
      </p>
    </section>
  );
}
