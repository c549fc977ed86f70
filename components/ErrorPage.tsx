import { Fragment } from "preact";
import type { Deps } from "../lib/app/deps.ts";
import type { DomainError, ErrorCode, FieldProblem } from "../lib/errors.ts";
import { waitingTime } from "../lib/text/dates.ts";
import { errorEntry, paths } from "../lib/urls.ts";
import { Page } from "./Page.tsx";
import { ProjectSearch } from "./ProjectSearch.tsx";

/** Titles for people, where an error's own sentence is written for programs. */
const TITLES: Partial<Record<ErrorCode, string>> = {
  not_found: "Page not found",
  invalid_input: "This link isn't valid",
  rate_limited: "Too many requests",
  storage_unavailable: "We'll be right back",
  internal_error: "Something went wrong on our side",
};

/**
 * An error for people: what went wrong, what to fix, and where to continue. `typed` is what they
 * typed into a form, by field; `back` is where they came from or were going, if known.
 */
export function ErrorPage(
  { deps, error, back, typed }: {
    deps: Deps;
    error: DomainError;
    back: { name: string; href: string } | null;
    typed: readonly (readonly [name: string, text: string])[];
  },
) {
  const problems = Array.isArray(error.details) ? error.details as FieldProblem[] : [];
  const isLost = error.status === 404;
  const heading = TITLES[error.code] ?? error.message;
  const retryAfter = (error.details as { retryAfterSeconds?: number } | null | undefined)
    ?.retryAfterSeconds;
  return (
    <Page deps={deps} title={heading} isNarrow>
      <p class="big-number" aria-hidden="true">{error.status}</p>
      <h1>{heading}</h1>
      {isLost && (
        <p>
          We can't find that page. It may have moved or been removed.
        </p>
      )}
      {retryAfter !== undefined && (
        <p>Nothing was changed. Try again in {waitingTime(retryAfter)}.</p>
      )}
      {problems.length > 0 && (
        <ul>
          {problems.map(({ field, message }) => (
            <li key={field}>
              <strong>{field}</strong>: {message}
            </li>
          ))}
        </ul>
      )}
      {isLost && <ProjectSearch />}
      <p class="cluster links">
        {back && <a href={back.href} aria-current="false">{back.name}</a>}{" "}
        <a href={paths.home} aria-current="false">Back to the home page</a>{" "}
        <a href={paths.helpEntry(errorEntry(error.code))}>What this error means</a>
      </p>
      {typed.length > 0 && (
        <section class="panel" aria-labelledby="typed">
          <h2 id="typed">What you typed</h2>
          <dl class="facts">
            {typed.map(([name, text]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd class="prose-text" dir="auto">{text}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      )}
    </Page>
  );
}
