import type { ComponentChildren } from "preact";
import type { ListPage } from "../lib/http/paging.ts";
import { plural } from "../lib/text/count.ts";
import { withQuery } from "../lib/urls.ts";
import { namedPart } from "./Pager.tsx";

/** A tag with at most this many entries leads on to a search for its words. */
const FEW = 3;

/** How many entries a list has and, after its first page, which ones are shown. */
function tallyOf(list: ListPage<unknown>, noun: string): string {
  const isLater = list.offset > 0 && list.items.length > 0;
  return isLater ? `${namedPart(list)} ${noun}s` : plural(list.total, noun);
}

/**
 * How many entries a list has and, if it is filtered, a link to all of them; nothing for an empty
 * list, which says so itself. `children` are its sort orders.
 */
export function Tally(
  { list, noun, narrowedBy, all, children }: {
    list: ListPage<unknown>;
    noun: string;
    /** The list's filters, without its order and page. */
    narrowedBy: Readonly<Record<string, unknown>> & { q?: string; tag?: string };
    /** The path of the full list. */
    all: string;
    children: ComponentChildren;
  },
) {
  if (list.total === 0) return null;
  const { q, tag } = narrowedBy;
  const isNarrowed = Object.values(narrowedBy).some((value) => value !== undefined);
  return (
    <div class="section-head">
      <h2 class="tally">{tallyOf(list, noun)}</h2>
      {isNarrowed && (
        <p>
          <a href={all} aria-current="false">Show all {noun}s</a>
          {tag && !q && list.total <= FEW && (
            <>
              {" · "}
              <a href={withQuery(all, { q: tag })} aria-current="false">Search for “{tag}”</a>
            </>
          )}
        </p>
      )}
      {list.total > 1 && children}
    </div>
  );
}
