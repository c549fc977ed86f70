import type { ComponentChildren } from "preact";
import { plural } from "../lib/text/count.ts";

/**
 * A list that shows its first `shown` items and folds the rest, since all of them would fill many
 * screens on a phone. `children` renders the list of some items. The first item is number `start`.
 */
export function Folded<T>(
  { items, shown, noun, children }: {
    items: readonly T[];
    shown: number;
    noun: string;
    children: (items: readonly T[], start: number) => ComponentChildren;
  },
) {
  const rest = items.slice(shown);
  return (
    <>
      {children(items.slice(0, shown), 1)}
      {rest.length > 0 && (
        <details>
          <summary>{plural(rest.length, `more ${noun}`)}</summary>
          {children(rest, shown + 1)}
        </details>
      )}
    </>
  );
}
