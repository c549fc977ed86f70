import type { ComponentChildren } from "preact";

/**
 * An entry on a long page, folded below its heading. A link to it unfolds it, even without a
 * script.
 */
export function Unfold(
  { id, head, isOpen, children }: {
    id: string;
    head: ComponentChildren;
    isOpen?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <details class="unfold" open={isOpen}>
      <summary>{head}</summary>
      <div id={id}>{children}</div>
    </details>
  );
}
