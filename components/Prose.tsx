import type { ComponentChildren } from "preact";
import { Masthead } from "./Masthead.tsx";
import { PageHead, type PageHeadProps } from "./PageHead.tsx";

/** A text page, split into topics. Its heading is its title, unless another is given. */
export function Prose(
  props: PageHeadProps & {
    heading?: string;
    lead: ComponentChildren;
    /** What to do or see first, next to the lead. */
    first?: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const { heading, lead, first, children, ...head } = props;
  return (
    <main id="main" class="page">
      <PageHead {...head} />
      <Masthead title={heading ?? head.title} lead={lead}>{first}</Masthead>
      {children}
    </main>
  );
}
