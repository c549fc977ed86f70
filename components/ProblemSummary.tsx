import type { FieldProblem } from "../lib/errors.ts";

/**
 * Lists a form's problems above it, in the order of `labels`, with a link to each field. The page
 * scrolls to it (`autofocus`), because some forms are far down, and screen readers don't announce
 * an alert that was there on load. `undone` says what didn't happen, and `kept` which typed values
 * the page still has, never an edit key.
 */
export function ProblemSummary(
  props: {
    problems: readonly FieldProblem[];
    labels: Readonly<Record<string, string>>;
    undone?: string;
    kept?: string;
  },
) {
  if (props.problems.length === 0) return null;
  const names = Object.keys(props.labels);
  const placeOf = ({ field }: FieldProblem) => names.indexOf(field.split(".")[0]!);
  const isAboutFields = props.problems.some(({ field }) => field !== "form");
  return (
    <div class="problems" role="alert" tabIndex={-1} autofocus>
      <p>
        {isAboutFields
          ? `${props.undone === undefined ? "" : `${props.undone}. `}Please fix ${
            props.problems.length === 1 ? "this" : "these"
          } and try again:`
          : `${props.undone ?? "Nothing was saved"}. ${
            props.kept ?? "What you typed is still here"
          }.`}
      </p>
      <ul>
        {props.problems.toSorted((a, b) => placeOf(a) - placeOf(b)).map(({ field, message }) => {
          const name = field.split(".")[0]!;
          const label = props.labels[name];
          return (
            <li key={`${field}${message}`}>
              {label === undefined ? message : (
                <>
                  <a href={`#${name}`}>{label}</a>
                  {message.startsWith(label) ? message.slice(label.length) : `: ${message}`}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
