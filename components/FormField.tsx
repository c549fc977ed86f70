import type { ComponentChildren } from "preact";
import { tools } from "../lib/catalog/tools.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { type FormState, textOf, textsOf } from "../lib/http/forms.ts";
import { LIMITS } from "../lib/limits.ts";
import { paths } from "../lib/urls.ts";
import { ToolMark } from "./ToolMark.tsx";

/** The props of every form field. */
interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  problems: readonly FieldProblem[];
  required?: boolean;
  /** True if another field decides whether this one is required. The hint says when. */
  isConditional?: boolean;
  /** What belongs to the field, below its notes. */
  after?: ComponentChildren;
}

/** The problems of one field, including its items' (`tags.2`). */
function problemsOf(problems: readonly FieldProblem[], name: string): FieldProblem[] {
  return problems.filter(({ field }) => field === name || field.startsWith(`${name}.`));
}

/** The ids of the texts that describe a field for screen readers. */
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

/** The attributes of a field's control of any kind. */
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

/** A control with its label and notes. */
function Field(props: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={props.name}>
        {props.label}{" "}
        {!props.required && !props.isConditional && <span class="optional">optional</span>}
      </label>
      {props.children}
      <Notes {...props} />
      {props.after}
    </div>
  );
}

/**
 * Makes the props of a form's fields by name: `common` for any field, `typed` with the typed text.
 */
export function fieldProps(
  labels: Readonly<Record<string, string>>,
  { values, problems }: FormState,
) {
  const common = (name: string) => ({ name, label: labels[name]!, problems });
  const typed = (name: string) => ({
    ...common(name),
    value: textsOf(values, name).join(", "),
  });
  return { common, typed };
}

/**
 * A text's limit as attributes. Browsers count UTF-16 units, so they allow twice as many; the
 * response reports text that is too long.
 */
export function textLimit(characters: number) {
  return { maxLength: 2 * characters, "data-characters": characters };
}

/** A text field with its label, hint and problems. */
export function TextField(
  props: FieldProps & {
    value?: string;
    type?: "email" | "password";
    /** The maximum length for ASCII-only text. */
    maxLength?: number;
    /** The maximum length of any text. */
    characters?: number;
    placeholder?: string;
    /** Never `off`: browsers don't restore what was typed into such a field. */
    autocomplete?: "name" | "email" | "current-password";
    inputMode?: "decimal" | "url";
    /** For text that no keyboard or browser may correct; lowercase is not capitalized either. */
    verbatim?: "lowercase" | "anyCase";
  },
) {
  const { verbatim } = props;
  return (
    <Field {...props}>
      <input
        {...controlProps(props)}
        type={props.type ?? "text"}
        value={props.value ?? ""}
        maxLength={props.maxLength}
        {...(props.characters && textLimit(props.characters))}
        placeholder={props.placeholder}
        autocomplete={props.autocomplete}
        spellcheck={verbatim && false}
        inputMode={props.inputMode}
        autocapitalize={verbatim === "lowercase" ? "none" : undefined}
        // Phones autocorrect words regardless of `spellcheck`.
        autocorrect={verbatim && "off"}
        dir="auto"
      />
    </Field>
  );
}

/**
 * A field for a URL. In a field of type url, browsers reject one without a scheme; the form adds
 * it.
 */
export function UrlField(props: FieldProps & { value?: string }) {
  return (
    <TextField
      {...props}
      inputMode="url"
      verbatim="lowercase"
      maxLength={LIMITS.urlMax}
      placeholder="https://"
    />
  );
}

/** The field that names a listing in an order. */
export function SlugField({ values, problems }: FormState) {
  return (
    <TextField
      name="slug"
      label="Project"
      hint="The project's name, or a link to its page on this site."
      value={textOf(values, "slug")}
      problems={problems}
      verbatim="lowercase"
      required
    />
  );
}

/**
 * The field for a stored record's key. No response returns that key, so it is always empty. `claim`
 * is the path of the page where an owner gets a new one.
 */
export function EditKeyField(
  { problems, which, claim }: Pick<FormState, "problems"> & { which?: string; claim?: string },
) {
  return (
    <TextField
      name="editKey"
      label="Edit key"
      type="password"
      problems={problems}
      required
      autocomplete="current-password"
      hint={
        <>
          {which} Starts with <code>pik_</code>.{" "}
          <a href={claim ?? paths.helpEntry("lost-edit-key")}>Lost the key?</a>
        </>
      }
    />
  );
}

/**
 * A multi-line field. It has no `maxlength`: browsers silently cut pasted text, and nobody sees the
 * end of a long one. The hint gives the limit, and the response reports text that is too long.
 */
export function TextArea(
  props: FieldProps & { value?: string; rows?: number; code?: boolean },
) {
  return (
    <Field {...props}>
      <textarea
        {...controlProps(props)}
        rows={props.rows ?? 6}
        class={props.code ? "code" : undefined}
        dir="auto"
      >
        {props.value ?? ""}
      </textarea>
    </Field>
  );
}

/** A select for one value. With `none`, the first option is empty. */
export function SelectField(
  props: FieldProps & {
    value?: string;
    options: readonly { value: string; label: string }[];
    none?: string;
  },
) {
  const control = controlProps(props);
  return (
    <Field {...props}>
      {/* Otherwise Chrome calls a required select invalid before anything is chosen. */}
      <select {...control} aria-invalid={control["aria-invalid"] ?? "false"}>
        {props.none !== undefined && <option value="">{props.none}</option>}
        {props.options.map(({ value, label }) => (
          <option key={value} value={value} selected={value === props.value}>{label}</option>
        ))}
      </select>
    </Field>
  );
}

/** A group of checkboxes (several values) or radio buttons (one). */
export function ChoiceField(
  props: FieldProps & {
    type: "checkbox" | "radio";
    values: readonly string[];
    options: readonly { value: string; label: ComponentChildren }[];
    class?: string;
  },
) {
  return (
    <fieldset id={props.name} class="field" aria-describedby={describedBy(props)}>
      <legend>
        {props.label} {/* A radio group is optional if it has an empty choice. */}
        {!props.required && (props.type === "checkbox" ||
          props.options.some(({ value }) => value === "")) &&
          <span class="optional">optional</span>}
      </legend>
      <div class={props.class ?? "cluster"}>
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

/** A group of checkboxes for tools. */
export function ToolsField(props: FieldProps & { values: readonly string[] }) {
  const options = tools.map(({ slug, name }) => ({
    value: slug,
    label: (
      <>
        <ToolMark slug={slug} /> {name}
      </>
    ),
  }));
  return <ChoiceField {...props} type="checkbox" options={options} />;
}

/**
 * Optional fields, folded unless `shown` is set or one of those in `names` has a value or a problem.
 */
export function FormRest(
  props: FormState & {
    names: readonly string[];
    shown?: boolean;
    summary: string;
    children: ComponentChildren;
  },
) {
  const isOpen = props.shown ||
    props.names.some((name) =>
      textsOf(props.values, name).some(Boolean) || problemsOf(props.problems, name).length > 0
    );
  return (
    <details class="form-rest" open={isOpen}>
      <summary>{props.summary}</summary>
      {props.children}
    </details>
  );
}
