import type { Deps } from "../lib/app/deps.ts";
import type { EntryRef } from "../lib/entries/entries.ts";
import type { KeyPageData } from "../lib/entries/key_page.ts";
import { WITHDRAWAL_NOTICE } from "../lib/owners/withdrawal.ts";
import { paths } from "../lib/urls.ts";
import { EntryTask } from "./EntryTask.tsx";
import { EditKeyField } from "./FormField.tsx";
import { Page } from "./Page.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";
import { Time } from "./Time.tsx";

/** The page that confirms the withdrawal of an entry, before and after. */
export function WithdrawPage(props: KeyPageData<boolean> & EntryRef & { deps: Deps }) {
  const { name, problems, kind, slug } = props;
  const page = paths[kind](slug);
  const listing = kind === "listing" ? props.deps.catalogue.get(slug) : undefined;
  const [noun, form, again] = kind === "listing"
    ? ["project", paths.submit, "Submit a project"]
    : ["skill", paths.skillSubmit, "Share a skill"];
  if (props.shown) {
    return (
      <Page deps={props.deps} title="Withdrawn" isNarrow>
        <h1>
          <span dir="auto">{name}</span> was withdrawn
        </h1>
        <p class="lead">
          It's gone from every page, list and feed. Only its slug remains, in{" "}
          <a href={paths.changes}>Recent changes</a>.
        </p>
        <p>
          <a href={form}>{again}</a>
        </p>
      </Page>
    );
  }
  return (
    <Page deps={props.deps} title={`Withdraw ${name}`} problems={problems}>
      <h1>
        Withdraw <span dir="auto">{name}</span>?
      </h1>
      <EntryTask deps={props.deps} entry={props} lead="This can't be undone.">
        <ul>{WITHDRAWAL_NOTICE[kind].map((line) => <li key={line}>{line}</li>)}</ul>
        {listing?.promotion && (
          <p class="notice">
            Its {listing.promotion.name} promotion is paid for through{" "}
            <Time iso={listing.promotion.endsAt} />. If you withdraw it, you lose the rest.
          </p>
        )}
        {listing?.sponsored && (
          <p class="notice">
            It has the Front Row this week. If you withdraw it, you lose the rest of the week.
          </p>
        )}
        <ProblemSummary
          problems={problems}
          labels={{ editKey: "Edit key" }}
          undone="Nothing was withdrawn"
          kept="To try again, enter the edit key"
        />
        <form method="post" action={paths.withdrawOf(page)} class="form">
          <EditKeyField problems={problems} />
          <p class="cluster">
            <button type="submit" class="button danger">Withdraw {noun}</button>
            <a href={page} class="button" aria-current="false">Keep it</a>
          </p>
        </form>
      </EntryTask>
    </Page>
  );
}
