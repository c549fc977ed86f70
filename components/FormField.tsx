import type { ComponentChildren } from "preact";
import type { FieldProblem } from "../lib/errors.ts";
import { LIMITS } from "../lib/limits.ts";
import { type FormValues, textOf, textsOf } from "../lib/site/forms.ts";

/** What every field of a form shares. */
interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  problems: readonly FieldProblem[];
  required?: boolean;
  /** Another field decides whether this one is needed; the hint says when. */
  isConditional?: boolean;
}

/** The problems of one field; those of its items too (`tags.2`). */
export function problemsOf(problems: readonly FieldProblem[], name: string): FieldProblem[] {
  return problems.filter(({ field }) => field === name || field.startsWith(`${name}.`));
}

/** The ids that describe a field to those who hear the page. */
function describedBy(props: FieldProps): string | undefined {
  const ids = [
    props.hint !== undefined && `${props.name}-hint`,
    problemsOf(props.problems, props.name).length > 0 && `${props.name}-problem`,
  ].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
}

function Notes(props: FieldProps) {
  const own = problemsOf(props.problems, props.name);
  return (
    <>
      {props.hint !== undefined && <p class="hint" id={`${props.name}-hint`}>{props.hint}</p>}
      {own.length > 0 && (
        <p class="problem" id={`${props.name}-problem`}>
          {own.map(({ message }) => message).join(". ")}
        </p>
      )}
    </>
  );
}

/** What the control of a field carries, whatever it is. */
function controlProps(props: FieldProps) {
  const isInvalid = problemsOf(props.problems, props.name).length > 0;
  return {
    id: props.name,
    name: props.name,
    required: props.required,
    "aria-invalid": isInvalid ? "true" : undefined,
    "aria-describedby": describedBy(props),
  } as const;
}

/** A control between its label and its notes. */
function Field(props: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={props.name}>
        {props.label}{" "}
        {!props.required && !props.isConditional && <span class="optional">optional</span>}
      </label>
      {props.children}
      <Notes {...props} />
    </div>
  );
}

/** The props of a form's fields by name: `common` what each has, `typed` with what was typed into it. */
export function fieldProps(
  labels: Readonly<Record<string, string>>,
  { values, problems }: { values: FormValues; problems: readonly FieldProblem[] },
) {
  const common = (name: string) => ({ name, label: labels[name]!, problems });
  const typed = (name: string) => ({
    ...common(name),
    value: textsOf(values, name).join(", "),
  });
  return { common, typed };
}

/** A text field with its label, hint and problems. */
export function TextField(
  props: FieldProps & {
    value?: string;
    type?: "email" | "password";
    maxLength?: number;
    placeholder?: string;
    autocomplete?: "email" | "current-password";
    spellcheck?: boolean;
    inputMode?: "decimal" | "url";
    autocapitalize?: "none";
  },
) {
  return (
    <Field {...props}>
      <input
        {...controlProps(props)}
        type={props.type ?? "text"}
        value={props.value ?? ""}
        maxLength={props.maxLength}
        placeholder={props.placeholder}
        autocomplete={props.autocomplete ?? "off"}
        spellcheck={props.spellcheck}
        inputMode={props.inputMode}
        autocapitalize={props.autocapitalize}
        dir="auto"
      />
    </Field>
  );
}

/** A field for an address. Browsers refuse one without its scheme in a field of type url; the form completes it. */
export function UrlField(props: FieldProps & { value?: string }) {
  return (
    <TextField
      {...props}
      inputMode="url"
      autocapitalize="none"
      spellcheck={false}
      maxLength={LIMITS.urlMax}
      placeholder="https://"
    />
  );
}

/** The field that names a listing in an order. */
export function SlugField(
  { values, problems }: { values: FormValues; problems: readonly FieldProblem[] },
) {
  return (
    <TextField
      name="slug"
      label="Project"
      hint="The address of its page here, or the last part of it: /p/this-part"
      value={textOf(values, "slug")}
      problems={problems}
      spellcheck={false}
      autocapitalize="none"
      required
    />
  );
}

/** The field for the key of a stored record. */
export function EditKeyField(
  { values, problems }: { values: FormValues; problems: readonly FieldProblem[] },
) {
  return (
    <TextField
      name="editKey"
      label="Edit key"
      type="password"
      problems={problems}
      required
      value={textOf(values, "editKey")}
      autocomplete="current-password"
      hint={
        <>
          Starts with <code>pik_</code>.
        </>
      }
    />
  );
}

/** A field for several lines. */
export function TextArea(
  props: FieldProps & { value?: string; maxLength?: number; rows?: number; code?: boolean },
) {
  return (
    <Field {...props}>
      <textarea
        {...controlProps(props)}
        rows={props.rows ?? 6}
        maxLength={props.maxLength}
        class={props.code ? "code" : undefined}
        dir="auto"
      >
        {props.value ?? ""}
      </textarea>
    </Field>
  );
}

/** One of several values; an empty first choice where none is needed. */
export function SelectField(
  props: FieldProps & {
    value?: string;
    options: readonly { value: string; label: string }[];
    none?: string;
  },
) {
  return (
    <Field {...props}>
      <select {...controlProps(props)}>
        {props.none !== undefined && <option value="">{props.none}</option>}
        {props.options.map(({ value, label }) => (
          <option key={value} value={value} selected={value === props.value}>{label}</option>
        ))}
      </select>
    </Field>
  );
}

/** Checkboxes (several values) or radio buttons (one) in a group. */
export function ChoiceField(
  props: FieldProps & {
    type: "checkbox" | "radio";
    values: readonly string[];
    options: readonly { value: string; label: ComponentChildren }[];
  },
) {
  return (
    <fieldset id={props.name} class="field" aria-describedby={describedBy(props)}>
      <legend>
        {props.label} {!props.required && <span class="optional">optional</span>}
      </legend>
      <div class="cluster">
        {props.options.map(({ value, label }) => (
          <label key={value} class="choice">
            <input
              type={props.type}
              name={props.name}
              value={value}
              checked={props.values.includes(value)}
              required={props.type === "radio" && props.required}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <Notes {...props} />
    </fieldset>
  );
}

/**
 * Says above a form that it has problems, and leads to each. The page opens there: some forms stand a long way down, and
 * an alert that a page begins with is not read out.
 */
export function ProblemSummary(
  props: { problems: readonly FieldProblem[]; labels?: Readonly<Record<string, string>> },
) {
  if (props.problems.length === 0) return null;
  const isAboutFields = props.problems.some(({ field }) => field !== "form");
  return (
    <div class="problems" role="alert" tabIndex={-1} autofocus>
      <p>
        Nothing was saved yet{isAboutFields
          ? ". Please correct:"
          : ", what you typed is still here:"}
      </p>
      <ul>
        {props.problems.map(({ field, message }) => {
          const name = field.split(".")[0]!;
          const label = props.labels?.[name];
          return (
            <li key={`${field}${message}`}>
              {label === undefined ? message : (
                <>
                  <a href={`#${name}`}>{label}</a>: {message}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
