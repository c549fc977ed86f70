import type { Deps } from "../lib/app/deps.ts";
import { textsOf } from "../lib/http/forms.ts";
import { LIMITS } from "../lib/limits.ts";
import type { ReasonClass } from "../lib/operator/actions.ts";
import type { ReportData } from "../lib/operator/report_handlers.ts";
import { paths } from "../lib/urls.ts";
import { ChoiceField, fieldProps, TextArea } from "./FormField.tsx";
import { PageHead } from "./PageHead.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";

const REASONS: readonly { value: ReasonClass; label: string }[] = [
  { value: "terms", label: "Breaks the terms" },
  { value: "spam", label: "Spam" },
  { value: "broken", label: "Broken or gone" },
  { value: "duplicate", label: "Listed twice" },
  { value: "other", label: "Something else" },
];
const LABELS = { reason: "What is wrong", note: "Note" };

/**
 * The form by which anyone tells the operator about a listing or a skill, or about what has no page
 * of its own (`isSite`).
 */
export function ReportPage(
  props: ReportData & { page: string; action: string; deps: Deps; isSite?: boolean },
) {
  const { name, values, problems, isSent, isSite = false } = props;
  const { common, typed } = fieldProps(LABELS, props);
  return (
    <main id="main" class="page narrow">
      <PageHead
        deps={props.deps}
        title={isSent ? "Reported" : `Report ${name}`}
        problems={problems}
      />
      <h1>
        {isSent ? "Reported" : (
          <>
            Report <span dir="auto">{name}</span>
          </>
        )}
      </h1>
      {isSent
        ? (
          <>
            <p class="lead" role="status">Thank you. It is in the operator's queue.</p>
            <p>
              <a class="button primary" href={props.page} aria-current="false">
                {isSite ? "Back to the start" : "Back to the entry"}
              </a>
            </p>
          </>
        )
        : (
          <>
            <p class="lead">
              The operator reads every report and hides what breaks the{" "}
              <a href={paths.terms}>terms</a>. Reports are never published.
            </p>
            <ProblemSummary problems={problems} labels={LABELS} undone="Nothing was sent yet" />
            <form method="post" action={props.action} class="form">
              <ChoiceField
                {...common("reason")}
                type="radio"
                required
                values={textsOf(values, "reason")}
                options={REASONS}
              />
              <TextArea
                {...typed("note")}
                required={isSite}
                hint={isSite
                  ? `What it is and where it stands: the day and the name of a line in the guestbook, for example. At most ${LIMITS.reportNoteMax} characters.`
                  : `What the operator should know, in at most ${LIMITS.reportNoteMax} characters. If it is yours and its key is lost: how you can prove it, and where to answer you.`}
              />
              <button type="submit" class="button primary">Send the report</button>
            </form>
          </>
        )}
    </main>
  );
}
