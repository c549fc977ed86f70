import type { ComponentChildren } from "preact";
import { PageHead, type PageHeadProps } from "./PageHead.tsx";

/** A page of running text. Its heading is its title, unless another is given. */
export function Prose(
  props: PageHeadProps & {
    heading?: string;
    lead: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const { heading, lead, children, ...head } = props;
  return (
    <main id="main" class="page narrow prose">
      <PageHead {...head} />
      <h1>{heading ?? head.title}</h1>
      <p class="lead">{lead}</p>
      {children}
    </main>
  );
}
