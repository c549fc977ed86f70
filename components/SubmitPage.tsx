import type { ComponentChildren, ComponentType } from "preact";
import type { Deps } from "../lib/app/deps.ts";
import { type FormState, namingTags, textOf } from "../lib/http/forms.ts";
import type { SubmissionData } from "../lib/site/submission_handlers.ts";
import { paths } from "../lib/urls.ts";
import { Enhance } from "./Enhance.tsx";
import { Page } from "./Page.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";

/** The page with the form for a new record. */
export function SubmitPage(props: {
  deps: Deps;
  data: SubmissionData<unknown>;
  title: string;
  /** What to do here. */
  description: string;
  /** When a new record goes live; null while the operator has paused submissions. */
  when: string | null;
  /** Which fields are required, in words. */
  needed: string;
  path: string;
  /** The path to which agents post the same fields. */
  api: string;
  /** The path of the page that explains how. */
  example: string;
  /** The form's fields and their names. */
  Fields: ComponentType<FormState>;
  labels: Readonly<Record<string, string>>;
  /** The sentence that links to the existing record with this URL or content. */
  duplicate: (slug: string) => ComponentChildren;
  button: string;
  /** A preview of the new record, if requested. */
  preview?: ComponentChildren;
}) {
  const { deps, data: { values, duplicate }, title, path, when, Fields } = props;
  const terms = when === null ? "no account" : `no account, ${when}`;
  const problems = namingTags(props.data.problems, values);
  return (
    <Page
      deps={deps}
      title={title}
      problems={problems}
      description={`${props.description}: free, ${terms}.`}
      path={path}
      lead={`Free, ${terms}. Only ${props.needed} are required.`}
    >
      <div class="columns">
        <div>
          {when === null && problems.length === 0 && (
            <p class="notice">New submissions are paused. Please come back later.</p>
          )}
          <ProblemSummary problems={problems} labels={props.labels} />
          {duplicate && <p class="notice">{props.duplicate(duplicate)}</p>}
          {props.preview && (
            <section class="preview" aria-labelledby="preview" tabIndex={-1} autofocus>
              <h2 id="preview">Preview</h2>
              <p class="dim">Nothing is saved yet. Change the form below, or submit it.</p>
              {props.preview}
              <button type="submit" form="submission" class="button primary">{props.button}</button>
            </section>
          )}
          <Enhance />
          <form id="submission" method="post" action={path} class="form" data-once>
            <input type="hidden" name="editKey" value={textOf(values, "editKey")} />
            <Fields values={values} problems={problems} />
            <p class="dim">
              By submitting, you agree to the{" "}
              <a href={paths.terms}>terms</a>. Your submission is public here and in the{" "}
              <a href={paths.data}>nightly data file</a>.
            </p>
            <p class="cluster">
              <button type="submit" class="button primary">{props.button}</button>
              <button type="submit" name="preview" value="1" class="button">Preview</button>
            </p>
          </form>
        </div>
        <aside class="side" aria-label="Before you submit">
          <section aria-labelledby="next">
            <h2 id="next">What happens next</h2>
            <ol class="steps">
              <li>
                {when === null
                  ? "Once submissions are open again, what you submit gets"
                  : `What you submit goes ${when}. It gets`}{" "}
                its own page and shows up in lists, feeds and the API.
              </li>
              <li>
                You get an edit key, shown only once. Save it: you'll need it to edit or withdraw
                what you submitted.
              </li>
              <li>
                Share the link to the new page, so people and agents can find it and vote for it.
              </li>
            </ol>
          </section>
          <section aria-labelledby="agent">
            <h2 id="agent">Using an agent?</h2>
            <p>
              POST the same fields as JSON to <code>{props.api}</code>.{" "}
              <a href={props.example}>See an example</a>.
            </p>
          </section>
        </aside>
      </div>
    </Page>
  );
}
