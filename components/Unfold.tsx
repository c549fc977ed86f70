import type { ComponentChildren } from "preact";

/** An entry of a long page, folded below its head. A link to it unfolds it, without script too. */
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
