import type { ComponentChildren } from "preact";
import { PageHead, type PageHeadProps } from "./PageHead.tsx";

/** The props of a page. */
interface PageProps extends PageHeadProps {
  isNarrow?: boolean;
  /** A sentence below the heading, or false for none. Without it, the page has its own heading. */
  lead?: ComponentChildren;
  /** The heading above the lead, if it differs from the title. */
  heading?: ComponentChildren;
  /** What to do or see first, next to the lead. */
  first?: ComponentChildren;
  children?: ComponentChildren;
}

/** A page: what its head says, its heading, and its content. */
export function Page({ isNarrow, lead, heading, first, children, ...head }: PageProps) {
  return (
    <main id="main" class={isNarrow ? "page narrow" : "page"}>
      <PageHead {...head} />
      {lead !== undefined && (
        <div class="masthead">
          <div>
            <h1>{heading ?? head.title}</h1>
            {lead && <p class="lead">{lead}</p>}
          </div>
          {first && <div class="find">{first}</div>}
        </div>
      )}
      {children}
    </main>
  );
}
