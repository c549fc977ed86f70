import { withQuery } from "../lib/urls.ts";

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
