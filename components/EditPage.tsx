import type { ComponentType } from "preact";
import type { Deps } from "../lib/app/deps.ts";
import type { EntryRef } from "../lib/entries/entries.ts";
import { type FormState, namingTags, textOf } from "../lib/http/forms.ts";
import { paths } from "../lib/urls.ts";
import { EntryTask } from "./EntryTask.tsx";
import { EditKeyField } from "./FormField.tsx";
import { Page } from "./Page.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";
import { SavedNotice } from "./SavedNotice.tsx";

/** The data of the page with the form for a stored record. */
export interface EditData extends FormState {
  name: string;
  /**
   * For a record waiting for review: true if its fields are shown, false if its key comes first.
   */
  pending?: "locked" | "open";
}

/** The page with the form for a stored record, for anyone who has its edit key. */
export function EditPage(
  props: EditData & EntryRef & {
    deps: Deps;
    /** The page to claim the record, if it is public. */
    claim?: string;
    /** Other pages for its owner: paths by label, if they exist here. */
    more?: Readonly<Record<string, string | false | null>>;
    /** The form's fields and their names. */
    Fields: ComponentType<FormState>;
    labels: Readonly<Record<string, string>>;
  },
) {
  const { name, values, labels, Fields, pending } = props;
  const page = paths[props.kind](props.slug);
  const [noun, sent] = props.kind === "listing" ? ["project", "submitted"] : ["skill", "shared"];
  const problems = namingTags(props.problems, values);
  return (
    <Page deps={props.deps} title={`Edit ${name}`} problems={problems}>
      {pending === "locked" && (
        <SavedNotice>Saved. The operator will see the new version.</SavedNotice>
      )}
      <h1>
        Edit <span dir="auto">{name}</span>
      </h1>
      <EntryTask
        deps={props.deps}
        entry={props}
        lead={pending === undefined
          ? `You'll need the edit key you got when you ${sent} this ${noun}.`
          : `This ${noun} is waiting for review. Until it's approved, you need the edit key to see its ` +
            "details, and again to save changes."}
        more={props.more}
      >
        <ProblemSummary
          problems={problems}
          labels={labels}
          kept="What you typed is still here, except the edit key"
        />
        <form method="post" action={paths.editOf(page)} class="form">
          {values.version && (
            <input type="hidden" name="version" value={textOf(values, "version")} />
          )}
          <EditKeyField problems={problems} claim={props.claim} />
          {pending === "locked"
            ? <input type="hidden" name="unlock" value="1" />
            : <Fields values={values} problems={problems} />}
          <button type="submit" class="button primary">
            {pending === "locked" ? "Show details" : "Save"}
          </button>
        </form>
        <div class="panel">
          <a class="button danger" href={paths.withdrawOf(page)}>Withdraw this {noun}</a>
        </div>
      </EntryTask>
    </Page>
  );
}
