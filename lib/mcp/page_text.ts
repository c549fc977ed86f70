import { searchElsewhere } from "../discovery/browse.ts";
import { nextOffset } from "../http/paging.ts";
import type { SearchPage } from "../read_model/lists.ts";
import { plural } from "../text/count.ts";
import type { Deps } from "./deps.ts";

/**
 * What a search tool returns besides the entries: the fields of the page, and its text. The text
 * starts with a line about the page, or about what to try if nothing was found. Then come `lines`
 * (one for each entry shown), and where else to look if no match is good. The next page begins after
 * the entries shown.
 */
export async function searchAnswer(
  deps: Deps,
  entry: "project" | "skill",
  { found, lines, details, query, filters }: {
    found: SearchPage<unknown>;
    lines: string[];
    /** How to get an entry's details. */
    details: string;
    query: string | undefined;
    filters: unknown[];
  },
) {
  const { total, limit, offset, sort, nearest } = found;
  const next = nextOffset(total, lines.length, offset);
  const isFiltered = [query, ...filters].some((filter) => filter !== undefined);
  const first = total === 0
    ? isFiltered
      ? `No matching ${entry}s. Try fewer filters or other words.`
      : `No ${entry}s yet. Add the first with submit_${entry}.`
    : nearest
    ? `No ${entry} matches the whole query. The closest come first. Try fewer or different words. ` +
      details
    : `${lines.length} of ${plural(total, entry)}${offset === 0 ? "" : ` from offset ${offset}`}.` +
      (next === null ? "" : ` More: search_${entry}s with offset ${next}.`) + ` ${details}`;
  const others = await elsewhere(deps, entry, query, found);
  return {
    page: { total, limit, offset, nextOffset: next, sort, nearest },
    text: [first, ...lines, ...others].join("\n"),
  };
}

/** Lines that say where else to look, for a search without good matches in its list. */
async function elsewhere(
  deps: Deps,
  entry: "project" | "skill",
  query: string | undefined,
  found: SearchPage<unknown>,
): Promise<string[]> {
  const totals = await searchElsewhere(deps, query, found);
  if (totals === null) return [];
  const other = entry === "project" ? "skill" : "project";
  const isOne = totals[entry] === 1;
  return [
    totals[entry] > 0 &&
    `Without filters there ${isOne ? "is" : "are"} ${plural(totals[entry], entry)}.`,
    totals[other] > 0 && `search_${other}s finds ${plural(totals[other], other)}.`,
  ].filter((line) => line !== false);
}
