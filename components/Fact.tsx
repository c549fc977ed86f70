import type { ComponentChildren } from "preact";

/** A term and what is said of it, in a `<dl class="facts">`; `dir="auto"` for the words of a submitter. */
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
