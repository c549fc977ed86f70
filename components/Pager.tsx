import { type ListPage, prevOffset } from "../lib/http/paging.ts";
import { formatCount } from "../lib/text/count.ts";
import { withQuery } from "../lib/urls.ts";
import { EmptyState } from "./EmptyState.tsx";

/** Shown if a list ends before the requested page. */
export function PastTheEnd({ url }: { url: URL }) {
  const { offset: _offset, page: _page, ...others } = Object.fromEntries(url.searchParams);
  return (
    <EmptyState title="You're past the last page">
      <p>
        <a href={withQuery(url.pathname, others)} aria-current="false">Back to page 1</a>
      </p>
    </EmptyState>
  );
}

/** A list's page number for its title: undefined for the first. */
export function namedPage({ limit, offset }: { limit: number; offset: number }) {
  return offset === 0 ? undefined : `page ${Math.ceil(offset / limit) + 1}`;
}

/** The part of a list's query that names its page, without the default limit. */
export function givenPage({ searchParams }: URL, { offset }: { offset: number }) {
  return { limit: searchParams.get("limit"), offset: offset || null };
}

/** Which entries a page of a list shows, out of how many: `31–60 of 61`. */
export function namedPart({ total, limit, offset }: Omit<ListPage<unknown>, "items">): string {
  const last = formatCount(Math.min(offset + limit, total));
  const shown = offset < total ? `${formatCount(offset + 1)}–${last}` : "None";
  return `${shown} of ${formatCount(total)}`;
}

/** Links to the previous and next page, which keep the other query parameters. */
export function Pager(
  { url, list }: { url: URL; list: Omit<ListPage<unknown>, "items"> },
) {
  const { total, limit, offset, nextOffset } = list;
  if (total <= limit && offset === 0) return null;
  const prev = prevOffset(total, limit, offset);
  const at = (to: number) =>
    withQuery(url.pathname, {
      ...Object.fromEntries(url.searchParams),
      page: undefined,
      offset: to > 0 ? String(to) : undefined,
    });
  return (
    <nav class="pager" aria-label="Pages">
      {prev !== null && (
        <a class="button" rel="prev" href={at(prev)} aria-current="false">← Previous</a>
      )} <span>{namedPart(list)}</span>{" "}
      {nextOffset !== null && <a class="button" rel="next" href={at(nextOffset)}>Next →</a>}
    </nav>
  );
}
