import type { ComponentChildren } from "preact";
import { Masthead } from "./Masthead.tsx";
import { PageHead, type PageHeadProps } from "./PageHead.tsx";

/** A page of running text. Its heading is its title, unless another is given. */
export function Prose(
  props: PageHeadProps & {
    heading?: string;
    lead: ComponentChildren;
    /** What to do or see first, beside the lead; only with `aside`. */
    first?: ComponentChildren;
    children: ComponentChildren;
    /** What is beside the text where there is room. */
    aside?: ComponentChildren;
  },
) {
  const { heading, lead, first, children, aside, ...head } = props;
  if (aside !== undefined) {
    return (
      <main id="main" class="page prose">
        <PageHead {...head} />
        <Masthead title={heading ?? head.title} lead={lead}>{first}</Masthead>
        <div class="columns">
          <div>{children}</div>
          {aside}
        </div>
      </main>
    );
  }
  return (
    <main id="main" class="page narrow prose">
      <PageHead {...head} />
      <h1>{heading ?? head.title}</h1>
      <p class="lead">{lead}</p>
      {children}
    </main>
  );
}
