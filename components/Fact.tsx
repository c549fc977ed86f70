import type { ComponentChildren } from "preact";

/** A term and its value, in a `<dl class="facts">`. `dir="auto"` is for user text. */
export function Fact({ term, children, ...props }: {
  term: string;
  dir?: "auto";
  class?: "num";
  children: ComponentChildren;
}) {
  return (
    <>
      <dt>{term}</dt>
      <dd {...props}>{children}</dd>
    </>
  );
}
