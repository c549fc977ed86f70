import type { ComponentChildren } from "preact";
import { plural } from "../lib/text/count.ts";

/**
 * How many entries a list has and, if it is filtered, a link to all of them. `children` are its
 * orders.
 */
export function Tally(
  { total, noun, narrowedBy, all, children }: {
    total: number;
    noun: string;
    /** The filters of the list, without its order and page. */
    narrowedBy: Readonly<Record<string, unknown>>;
    /** Path of the list of all. */
    all: string;
    children: ComponentChildren;
  },
) {
  const isNarrowed = Object.values(narrowedBy).some((value) => value !== undefined);
  return (
    <div class="section-head">
      <h2 class="tally">{plural(total, noun)}</h2>
      {isNarrowed && total > 0 && (
        <p>
          <a href={all} aria-current="false">Show all {noun}s</a>
        </p>
      )}
      {total > 1 && children}
    </div>
  );
}
