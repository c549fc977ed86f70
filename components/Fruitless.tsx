import type { ComponentChildren } from "preact";
import type { Elsewhere } from "../lib/discovery/browse.ts";
import { showInvisible } from "../lib/text/clean.ts";
import { plural } from "../lib/text/count.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { EmptyState } from "./EmptyState.tsx";

const LISTS = [["project", paths.projects], ["skill", paths.skills]] as const;

/** A search without good matches in its list, and how many it has elsewhere. */
interface Search {
  noun: "project" | "skill";
  q: string | undefined;
  elsewhere: Elsewhere | null;
}

/** Replaces a list without matches: what its words find elsewhere, then other options. */
export function Fruitless({ children, ...search }: Search & { children: ComponentChildren }) {
  return (
    <EmptyState title={`No ${search.noun}s match`}>
      <ElsewhereLinks {...search} />
      {children}
    </EmptyState>
  );
}

/** Says above a list that nothing in it matches its search well, and where there is more. */
export function NearestNote(search: Search) {
  const isFiltered = search.elsewhere![search.noun] > 0;
  return (
    <div class="notice" role="status">
      <p>
        {isFiltered ? "With these filters, nothing" : "Nothing"} matches all of{" "}
        “{showInvisible(search.q!)}”. These come closest. Try fewer or different words.
      </p>
      <ElsewhereLinks {...search} />
    </div>
  );
}

function ElsewhereLinks({ noun, q, elsewhere }: Search) {
  return LISTS.map(([other, path]) => {
    const total = elsewhere?.[other] ?? 0;
    return total > 0 && (
      <p key={other}>
        <a href={withQuery(path, { q })} aria-current="false">
          {other === noun
            ? `${plural(total, other)} without the filters`
            : plural(total, `matching ${other}`)}
        </a>
      </p>
    );
  });
}
