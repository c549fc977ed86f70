import type { z } from "zod";
import type { Urls } from "../urls.ts";

/** One page of a list, in the form every list uses. `nextOffset` is null on the last page. */
export interface ListPage<T> {
  items: T[];
  total: number;
  limit: number;
  offset: number;
  nextOffset: number | null;
}

/** The `nextOffset` of a page. */
export function nextOffset(total: number, limit: number, offset: number): number | null {
  return offset + limit < total ? offset + limit : null;
}

/**
 * The previous page's offset; null on the first page. Past the end it is the last page, so no link
 * leads to an empty page.
 */
export function prevOffset(total: number, limit: number, offset: number): number | null {
  return offset === 0 ? null : Math.max(0, Math.min(offset, total) - limit);
}

/**
 * The `Link` header of a list page, if any: next and prev. The links keep the other query
 * parameters that the schema knows.
 */
export function pageLinks(
  urls: Urls,
  { url, schema, page }: {
    url: URL;
    schema: z.ZodObject;
    page: { total: number; limit: number; offset: number };
  },
): string | undefined {
  const isKept = (name: string) => name !== "offset" && Object.hasOwn(schema.shape, name);
  const query = `${new URLSearchParams([...url.searchParams].filter(([name]) => isKept(name)))}`;
  const start = `${urls.to(url.pathname.replace(/\/$/, ""))}?${query}${
    query === "" ? "" : "&"
  }offset=`;
  const links: string[] = [];
  const next = nextOffset(page.total, page.limit, page.offset);
  if (next !== null) links.push(`<${start}${next}>; rel="next"`);
  const prev = prevOffset(page.total, page.limit, page.offset);
  if (prev !== null) links.push(`<${start}${prev}>; rel="prev"`);
  return links.length > 0 ? links.join(", ") : undefined;
}
