import { searchElsewhere } from "../discovery/elsewhere.ts";
import { type ListPage, nextOffset } from "../http/paging.ts";
import { plural } from "../text/count.ts";
import type { Deps } from "./deps.ts";

/** `pageFields` of what a search found. The next page begins after the entries that are `shown`. */
export function pageData({ total, limit, offset }: ListPage<unknown>, shown: number) {
  return { total, limit, offset, nextOffset: nextOffset(total, shown, offset) };
}

/**
 * What a page of projects or skills holds and what to call next, in one line. Where nothing was
 * found: how to find more, or how to add the first entry if no filter was given.
 */
export function pageLine(
  { shown, total, offset, nextOffset }: ReturnType<typeof pageData> & { shown: number },
  next: { entry: "project" | "skill"; filters: unknown[]; details: string },
): string {
  if (total === 0) {
    return next.filters.every((filter) => filter === undefined)
      ? `There is no ${next.entry} yet: submit_${next.entry} adds the first.`
      : `No ${next.entry} matches. Every word of query and every filter narrows: try fewer, or other words.`;
  }
  return `${shown} of ${plural(total, next.entry)} from offset ${offset}.` +
    (nextOffset === null ? "" : ` More: search_${next.entry}s with offset ${nextOffset}.`) +
    ` ${next.details}`;
}

/**
 * What to look at where a search finds nothing: the slugs of what has some of its words, and all of
 * it in lines.
 */
export async function elsewhere<E extends { slug: string }>(
  deps: Deps,
  { query, total, entry, own, lineOf }: {
    query: string | undefined;
    total: number;
    entry: "project" | "skill";
    own: { nearest(q: string, limit: number): E[] };
    lineOf: (entry: E) => string;
  },
): Promise<{ nearest: string[]; lines: string[] }> {
  if (query === undefined || total > 0) return { nearest: [], lines: [] };
  const { totals, nearest } = await searchElsewhere(deps, { q: query, noun: entry, own });
  const other = entry === "project" ? "skill" : "project";
  return {
    nearest: nearest.map(({ slug }) => slug),
    lines: [
      ...(totals[entry] > 0
        ? [`Without the filters it finds ${plural(totals[entry], entry)}.`]
        : []),
      ...(totals[other] > 0 ? [`search_${other}s finds ${plural(totals[other], other)}.`] : []),
      ...(nearest.length > 0 ? ["With some of the words:", ...nearest.map(lineOf)] : []),
    ],
  };
}
