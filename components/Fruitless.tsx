import type { ComponentChildren } from "preact";
import type { Elsewhere } from "../lib/discovery/elsewhere.ts";
import { showInvisible } from "../lib/text/clean.ts";
import { plural } from "../lib/text/count.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { EmptyState } from "./EmptyState.tsx";

const LISTS = [["project", paths.projects], ["skill", paths.skills]] as const;

/** Replaces a list without matches: what its words find elsewhere, then other options. */
export function Fruitless(
  { noun, q, elsewhere, children }: {
    noun: "project" | "skill";
    q: string | undefined;
    elsewhere: Elsewhere | null;
    children: ComponentChildren;
  },
) {
  return (
    <EmptyState title={`No ${noun}s match`}>
      {LISTS.map(([other, path]) => {
        const total = elsewhere?.[other] ?? 0;
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

/** Says above a list that nothing matches its search well. */
export function NearestNote({ q }: { q: string }) {
  return (
    <p class="notice" role="status">
      Nothing matches all of “{showInvisible(q)}”. These come closest:
    </p>
  );
}
