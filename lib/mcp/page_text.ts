import { searchElsewhere } from "../discovery/elsewhere.ts";
import { nextOffset } from "../http/paging.ts";
import type { SearchPage } from "../read_model/lists.ts";
import { plural } from "../text/count.ts";
import type { Deps } from "./deps.ts";

/** `pageFields` and `searchFields` of a search. The next page begins after the `shown` entries. */
export function pageData(
  { total, limit, offset, sort, nearest }: SearchPage<unknown>,
  shown: number,
) {
  return { total, limit, offset, nextOffset: nextOffset(total, shown, offset), sort, nearest };
}

/**
 * What is on a page of projects or skills and what to call next, in one line. If nothing was found:
 * how to find more, or how to add the first entry if no filter was given.
 */
export function pageLine(
  { shown, total, offset, nextOffset, nearest }: ReturnType<typeof pageData> & { shown: number },
  next: { entry: "project" | "skill"; filters: unknown[]; details: string },
): string {
  if (total === 0) {
    return next.filters.every((filter) => filter === undefined)
      ? `No ${next.entry}s yet. Add the first with submit_${next.entry}.`
      : `No matching ${next.entry}s. Try fewer filters or other words.`;
  }
  if (nearest) return `No ${next.entry} matches well. The closest come first. ${next.details}`;
  return `${shown} of ${plural(total, next.entry)} from offset ${offset}.` +
    (nextOffset === null ? "" : ` More: search_${next.entry}s with offset ${nextOffset}.`) +
    ` ${next.details}`;
}

/** Where else to try a search without good matches in its list, in lines. */
export async function elsewhere(
  deps: Deps,
  { query, found, entry }: {
    query: string | undefined;
    found: SearchPage<unknown>;
    entry: "project" | "skill";
  },
): Promise<string[]> {
  const totals = await searchElsewhere(deps, query, found);
  if (totals === null) return [];
  const other = entry === "project" ? "skill" : "project";
  return [
    ...(totals[entry] > 0
      ? [
        `Without filters there ${totals[entry] === 1 ? "is" : "are"} ${
          plural(totals[entry], entry)
        }.`,
      ]
      : []),
    ...(totals[other] > 0 ? [`search_${other}s finds ${plural(totals[other], other)}.`] : []),
  ];
}
