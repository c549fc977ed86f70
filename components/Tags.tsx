import type { TagCount } from "../lib/discovery/counts.ts";
import { formatCount } from "../lib/text/count.ts";
import { paths, withQuery } from "../lib/urls.ts";

/** The tags of an entry, each a link to the others of the list at `path` that have it. */
export function Tags({ tags, path }: { tags: readonly string[]; path: string }) {
  if (tags.length === 0) return null;
  return (
    <ul class="plain cluster" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a class="chip" href={withQuery(path, { tag })}>#{tag}</a>
        </li>
      ))}
    </ul>
  );
}

/** Tags of projects with how many have each. */
export function TagCounts({ tags }: { tags: readonly TagCount[] }) {
  return (
    <ul class="plain cluster tag-counts">
      {tags.map(({ tag, count }) => (
        <li key={tag}>
          <a class="chip" href={paths.tag(tag)} aria-current="false">
            #{tag} <span class="dim">{formatCount(count)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
