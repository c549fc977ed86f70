import type { ComponentType } from "preact";
import type { Deps } from "../lib/deps.ts";
import { type FormState, namingTags } from "../lib/site/forms.ts";
import { EditKeyField } from "./FormField.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";
import { PageHead } from "./PageHead.tsx";

/** The data of the page with the form of a stored record. */
export interface EditData extends FormState {
  name: string;
}

/** The page with the form of a stored record, for whoever holds its edit key. */
export function EditPage(
  props: EditData & {
    deps: Deps;
    /** The paths of the record's page and of this form. */
    page: string;
    action: string;
    /** The form's fields, and their names. */
    Fields: ComponentType<FormState>;
    labels: Readonly<Record<string, string>>;
  },
) {
  const { name, values, labels, Fields } = props;
  const problems = namingTags(props.problems, values);
  return (
    <main id="main" class="page narrow">
      <PageHead deps={props.deps} title={`Edit ${name}`} problems={problems} />
      <h1>
        Edit <span dir="auto">{name}</span>
      </h1>
      <p class="lead">
        For whoever holds the edit key that was shown when{" "}
        <a href={props.page} aria-current="false">the entry</a> was made.
      </p>
      <ProblemSummary
        problems={problems}
        labels={labels}
        kept="what you typed is still here, but for the edit key"
      />
      <form method="post" action={props.action} class="form">
        <EditKeyField problems={problems} />
        <Fields values={values} problems={problems} />
        <button type="submit" class="button primary">Save</button>
      </form>
    </main>
  );
}
