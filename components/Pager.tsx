import type { ListPage } from "../lib/http/respond.ts";
import { withQuery } from "../lib/urls.ts";
import { formatCount } from "../lib/text/count.ts";

/** Links to the pages around this one; the other query parameters stay. */
export function Pager(
  { url, list }: { url: URL; list: Omit<ListPage<unknown>, "items"> },
) {
  const { total, limit, offset, nextOffset } = list;
  if (total <= limit && offset === 0) return null;
  const at = (to: number) =>
    withQuery(url.pathname, {
      ...Object.fromEntries(url.searchParams),
      offset: to > 0 ? String(to) : undefined,
    });
  return (
    <nav class="pager" aria-label="Pages">
      {offset > 0 ? <a rel="prev" href={at(Math.max(0, offset - limit))}>← Previous</a> : <span />}
      <span>
        {formatCount(Math.min(offset + 1, total))}–{formatCount(Math.min(offset + limit, total))} of
        {" "}
        {formatCount(total)}
      </span>
      {nextOffset !== null ? <a rel="next" href={at(nextOffset)}>Next →</a> : <span />}
    </nav>
  );
}
