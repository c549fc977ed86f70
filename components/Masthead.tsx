import type { ComponentChildren } from "preact";

/** The head of a page: a heading, a sentence and the first steps. */
export function Masthead(
  { title, lead, children }: {
    title: ComponentChildren;
    lead: ComponentChildren;
    children?: ComponentChildren;
  },
) {
  return (
    <div class="masthead">
      <div>
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="find">{children}</div>}
    </div>
  );
}
