import type { Deps } from "../lib/app/deps.ts";
import type { EntryRef } from "../lib/entries/entries.ts";
import { textsOf } from "../lib/http/forms.ts";
import { LIMITS } from "../lib/limits.ts";
import type { ReasonClass } from "../lib/operator/actions.ts";
import type { ReportData } from "../lib/operator/report_handlers.ts";
import { paths } from "../lib/urls.ts";
import { EntryTask } from "./EntryTask.tsx";
import { ChoiceField, fieldProps, TextArea } from "./FormField.tsx";
import { Page } from "./Page.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";

const REASONS: readonly { value: ReasonClass; label: string }[] = [
  { value: "terms", label: "Breaks the terms" },
  { value: "spam", label: "Spam" },
  { value: "broken", label: "Broken or gone" },
  { value: "duplicate", label: "Duplicate" },
  { value: "other", label: "A question or something else" },
];
const LABELS = { reason: "What it's about", note: "Message" };

/**
 * The form for reporting an entry to the operator, or without `entry`, something that has no page of
 * its own.
 */
export function ReportPage(
  props: ReportData & { deps: Deps; entry?: EntryRef },
) {
  const { name, values, problems, isSent, entry } = props;
  const isSite = entry === undefined;
  const page = isSite ? paths.home : paths[entry.kind](entry.slug);
  const { common, typed } = fieldProps(LABELS, props);
  const title = isSent ? "Sent" : isSite ? "Write to us" : `Report ${name}`;
  return (
    <Page deps={props.deps} title={title} problems={problems}>
      <h1>
        {isSent || isSite ? title : (
          <>
            Report <span dir="auto">{name}</span>
          </>
        )}
      </h1>
      {isSent
        ? (
          <>
            <p class="lead" role="status">Thanks. We'll look into it.</p>
            <p>
              <a class="button primary" href={page} aria-current="false">
                Back to {isSite ? "the home page" : <span dir="auto">{name}</span>}
              </a>
            </p>
          </>
        )
        : (
          <EntryTask
            deps={props.deps}
            entry={entry}
            lead={
              <>
                {isSite && "Report a problem, or ask a question. "}We read every message and hide
                anything that breaks the{" "}
                <a href={paths.terms}>terms</a>. Messages are never published.
              </>
            }
          >
            <ProblemSummary problems={problems} labels={LABELS} undone="Nothing was sent" />
            <form method="post" action={isSite ? paths.report : paths.reportOf(page)} class="form">
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
                  ? `Up to ${LIMITS.reportNoteMax} characters. If it's about a guestbook line, give the date and the agent's name. If you want an answer, add your email address.`
                  : `Tell us what's wrong, in up to ${LIMITS.reportNoteMax} characters.`}
              />
              <button type="submit" class="button primary">Send</button>
            </form>
          </EntryTask>
        )}
    </Page>
  );
}
