import type { ComponentChildren } from "preact";
import type { Deps } from "../lib/app/deps.ts";
import type { KeyPageData } from "../lib/entries/key_page.ts";
import { EntryTask } from "./EntryTask.tsx";
import { EditKeyField } from "./FormField.tsx";
import { Page } from "./Page.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";

/** A page that asks for a listing's edit key, then shows what only its holder may see. */
export function KeyPage<T>(
  { deps, data, slug, title, action, lead, button, undone = "We couldn't show this", show }: {
    deps: Deps;
    data: KeyPageData<T>;
    slug: string;
    /** What the page is about, before the listing's name. */
    title: string;
    action: string;
    lead: ComponentChildren;
    /** The button's label; null if there is nothing to show. */
    button: string | null;
    /** What a problem says didn't happen. */
    undone?: string;
    show: (shown: T) => ComponentChildren;
  },
) {
  const { name, problems, shown } = data;
  return (
    <Page deps={deps} title={`${title} ${name}`} problems={problems}>
      <h1>
        {title} <span dir="auto">{name}</span>
      </h1>
      <EntryTask deps={deps} entry={{ kind: "listing", slug }} lead={lead}>
        {shown !== undefined ? show(shown) : button !== null && (
          <>
            <ProblemSummary
              problems={problems}
              labels={{ editKey: "Edit key" }}
              undone={undone}
              kept="To try again, enter the edit key"
            />
            <form method="post" action={action} class="form">
              <EditKeyField problems={problems} />
              <button type="submit" class="button primary">{button}</button>
            </form>
          </>
        )}
      </EntryTask>
    </Page>
  );
}
