import type { DomainError, FieldProblem } from "../lib/errors.ts";
import { paths } from "../lib/urls.ts";

/** What a person sees of an error: what went wrong, what to mend, and ways on. */
export function ErrorPage({ error }: { error: DomainError }) {
  const problems = Array.isArray(error.details) ? error.details as FieldProblem[] : [];
  return (
    <main class="error-page">
      <title>{error.message}</title>
      <p class="eyebrow">{error.status}</p>
      <h1>{error.message}</h1>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={problem.field}>{problem.field}: {problem.message}</li>
          ))}
        </ul>
      )}
      <p>
        <a href={paths.home}>Back to the directory</a> or{" "}
        <a href={paths.helpEntry(`error-${error.code.replaceAll("_", "-")}`)}>
          read about this error
        </a>
      </p>
    </main>
  );
}
