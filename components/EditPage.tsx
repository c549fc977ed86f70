import type { ComponentType } from "preact";
import type { Deps } from "../lib/app/deps.ts";
import { type FormState, namingTags, textOf } from "../lib/http/forms.ts";
import { EditKeyField } from "./FormField.tsx";
import { PageHead } from "./PageHead.tsx";
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
  props: EditData & {
    deps: Deps;
    noun: "project" | "skill";
    /** The paths of the record's page, of this form, and of the page to withdraw it. */
    page: string;
    action: string;
    withdraw: string;
    /** The page to claim the record, if it is public. */
    claim?: string;
    /** Other pages for its owner, by label. */
    more?: readonly (readonly [label: string, path: string])[];
    /** The form's fields and their names. */
    Fields: ComponentType<FormState>;
    labels: Readonly<Record<string, string>>;
  },
) {
  const { name, noun, values, labels, Fields, pending } = props;
  const problems = namingTags(props.problems, values);
  return (
    <main id="main" class="page narrow">
      <PageHead deps={props.deps} title={`Edit ${name}`} problems={problems} />
      {pending === "locked" && (
        <SavedNotice>Saved. The operator will see the new version.</SavedNotice>
      )}
      <h1>
        Edit <span dir="auto">{name}</span>
      </h1>
      <p class="lead">
        {pending === undefined
          ? (
            <>
              You'll need the edit key you got when you submitted{" "}
              <a href={props.page} aria-current="false">this {noun}</a>.
            </>
          )
          : `This ${noun} is waiting for review. Until it's approved, you need the edit key to see its ` +
            "details, and again to save changes."}
      </p>
      <ProblemSummary
        problems={problems}
        labels={labels}
        kept="What you typed is still here, except the edit key"
      />
      <form method="post" action={props.action} class="form">
        {values.version && <input type="hidden" name="version" value={textOf(values, "version")} />}
        <EditKeyField problems={problems} claim={props.claim} />
        {pending === "locked"
          ? <input type="hidden" name="unlock" value="1" />
          : <Fields values={values} problems={problems} />}
        <button type="submit" class="button primary">
          {pending === "locked" ? "Show details" : "Save"}
        </button>
      </form>
      {props.more && (
        <p class="cluster links">
          {props.more.map(([label, path]) => <a key={path} href={path}>{label}</a>)}
        </p>
      )}
      <div class="panel">
        <a class="button danger" href={props.withdraw}>Withdraw this {noun}</a>
      </div>
    </main>
  );
}
