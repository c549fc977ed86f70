import type { TagCount } from "../lib/discovery/counts.ts";
import { formatCount } from "../lib/text/count.ts";
import { paths, withQuery } from "../lib/urls.ts";

/** An entry's tags, each a link to the others with it in the list at `path`. */
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

/** Project tags with their counts. */
export function TagCounts({ tags }: { tags: readonly TagCount[] }) {
  return (
    <ul class="plain cluster">
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
