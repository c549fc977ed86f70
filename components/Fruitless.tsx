import type { ComponentChildren } from "preact";
import type { Elsewhere } from "../lib/discovery/elsewhere.ts";
import { plural } from "../lib/text/count.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { EmptyState } from "./EmptyState.tsx";

const LISTS = [["project", paths.projects], ["skill", paths.skills]] as const;

/** In place of a list that nothing matches: what its words find elsewhere, then what else to do. */
export function Fruitless(
  { noun, q, elsewhere, children }: {
    noun: "project" | "skill";
    q: string | undefined;
    elsewhere: Elsewhere<unknown> | null;
    children: ComponentChildren;
  },
) {
  return (
    <EmptyState title={`No ${noun} matches.`}>
      {LISTS.map(([other, path]) => {
        const total = elsewhere?.totals[other] ?? 0;
        return total > 0 && (
          <p key={other}>
            <a href={withQuery(path, { q })} aria-current="false">
              {plural(total, other)} {other === noun ? "without the filters" : "with these words"}
            </a>
          </p>
        );
      })}
      {children}
    </EmptyState>
  );
}

/** The entries that have some of a search's words, below what says that none has all. `children` makes their list by its name. */
export function Nearest({ narrowedBy, children }: {
  /** The words and filters of the list, which these entries need not pass. */
  narrowedBy: Readonly<Record<string, unknown>>;
  children: (label: string) => ComponentChildren;
}) {
  const { q: _q, ...filters } = narrowedBy;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const label = `With some of these words${isFiltered ? ", without the filters" : ""}`;
  return (
    <section class="panel" aria-labelledby="nearest">
      <h2 id="nearest">{label}</h2>
      {children(label)}
    </section>
  );
}
