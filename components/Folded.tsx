import type { ComponentChildren } from "preact";
import { plural } from "../lib/text/count.ts";

/**
 * A list that shows its first `shown` items and folds the rest if there are several, since all of
 * them would fill many screens on a phone. `children` renders the list of some items. The first
 * item is number `start`.
 */
export function Folded<T>(
  { items, shown, noun, children }: {
    items: readonly T[];
    shown: number;
    noun: string;
    children: (items: readonly T[], start: number) => ComponentChildren;
  },
) {
  const open = items.length === shown + 1 ? items.length : shown;
  const rest = items.slice(open);
  return (
    <>
      {children(items.slice(0, open), 1)}
      {rest.length > 0 && (
        <details>
          <summary>{plural(rest.length, `more ${noun}`)}</summary>
          {children(rest, open + 1)}
        </details>
      )}
    </>
  );
}
