import { z } from "zod";
import { isoTime } from "../clock.ts";
import { DomainError, type ErrorCode, type FieldProblem, rejectProblems } from "../errors.ts";
import { asTag } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { readForm } from "./body.ts";
import { parsePairs, queryPairs } from "./input.ts";

/** What was typed into a form: each field's text, or several. */
export type FormValues = Record<string, string | string[] | undefined>;

/** What a form shows: what was typed, and what is wrong with it. */
export interface FormState {
  values: FormValues;
  problems: readonly FieldProblem[];
}

/** Reads a posted form that people fill in. Throws as `readForm` does. */
export async function readTyped(
  { req, state }: { req: Request; state: { typed?: FormValues } },
): Promise<FormValues> {
  return state.typed = await readForm(req);
}

/** Fields of forms that no answer gives back, or that nobody types. */
const UNSHOWN = new Set(["editKey", "unlock", "version"]);

/**
 * What was typed into a form, each field's name and text, for the page of an error in whose place
 * the form cannot stand.
 */
export function shownTyped(typed: FormValues = {}): [name: string, text: string][] {
  const values = Object.entries(typed).filter(([name]) => !UNSHOWN.has(name));
  return values.map(([name, value]) => [name, [value].flat().join(", ")]);
}

/** The options of a page about one caller, such as the answer to a form: nothing keeps it. */
export const NO_STORE = { headers: { "Cache-Control": "private, no-store" } };

/**
 * The options of a form that nobody has sent yet. Browsers throw away what was typed into a page
 * that they may not store: people who read the terms and went back found it empty.
 */
export const UNSENT = { headers: { "Cache-Control": "private, no-cache" } };

/**
 * The outcome of a form: its result, or the problems to correct with the options of the page that
 * says so.
 */
export type FormResult<T> = { ok: true; value: T } | {
  ok: false;
  problems: FieldProblem[];
  error: DomainError;
  init: { status: number; headers: Record<string, string> };
};

/** The field that an error is about whose details name none, by its code. */
export type FieldOf = Partial<Record<ErrorCode, string>>;

/**
 * Statuses of errors that pass by themselves (a limit, a pause, storage, the payment provider). The
 * same form may be sent again.
 */
const PASSING = new Set([429, 502, 503]);

/** What a form says of errors whose own sentence leaves open what it knows. */
const ON_PAGE: Partial<Record<ErrorCode, string>> = { bad_edit_key: "Edit key is wrong" };

/** What a form asks for where a field is empty, by the field's name. */
const ASKS: Readonly<Record<string, string>> = {
  name: "Enter a name",
  url: "Enter a URL",
  tagline: "Enter a tagline",
  title: "Enter a title",
  summary: "Enter a summary",
  kind: "Choose a kind",
  content: "Enter the content",
  license: "Enter a license",
  sourceUrl: "Enter the source URL",
  slug: "Enter a project",
  tierId: "Choose a promotion",
  amountCents: "Enter an amount",
  candidate: "Choose an AI",
  reason: "Choose a reason",
  note: "Tell us what's wrong",
};

/** What a form says of a problem with a field: it asks for what is missing. */
function onPageOf({ field, message, onPage }: FieldProblem): FieldProblem {
  const isMissing = message === "Must not be empty" || /\brequired\b/i.test(message);
  return { field, message: onPage ?? ((isMissing && ASKS[field]) || message) };
}

/**
 * Runs a form's action. Errors that a person can mend, by changing the form or by waiting, are
 * returned as problems, so that the page keeps what was typed. Any other error is thrown on to the
 * boundary.
 */
export async function submitForm<T>(
  action: () => Promise<T>,
  fieldOf: FieldOf,
): Promise<FormResult<T>> {
  try {
    return { ok: true, value: await action() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const field = fieldOf[error.code] ?? (PASSING.has(error.status) ? "form" : undefined);
    // Codes with a list of details, such as invalid_input, name their fields themselves.
    const problems = Array.isArray(error.details)
      ? (error.details as FieldProblem[]).map(onPageOf)
      : field === undefined
      ? null
      : [{ field, message: error.onPage ?? ON_PAGE[error.code] ?? error.message }];
    if (problems === null) throw error;
    const headers = { ...NO_STORE.headers, ...error.headers };
    const init = { status: error.status, headers };
    return { ok: false, problems, error, init };
  }
}

/** The first text of a form field, or undefined. */
export function textOf(form: FormValues, name: string): string | undefined {
  return textsOf(form, name)[0];
}

/** The edit key that a person pasted, without the spaces around it; empty where there is none. */
export function editKeyOf(form: FormValues): string {
  return textOf(form, "editKey")?.trim() ?? "";
}

/** The slug of a listing that a person named by it, or by the address of the listing's page. */
export function slugOf(form: FormValues): string | undefined {
  const typed = textOf(form, "slug")?.trim();
  // No address of a listing is longer, and the pattern takes the square of the length.
  if (typed === undefined || typed.length > LIMITS.urlMax) return typed;
  // No slug has capitals, but the first letter that a telephone puts.
  return typed.replace(/^\S*\/p\/([^/?#]+)\S*$/, "$1").toLowerCase();
}

/** All texts of a form field. */
export function textsOf(form: FormValues, name: string): string[] {
  return [form[name] ?? []].flat();
}

/** Tags as they were typed into one field, with commas or semicolons between them, or spaces where there is neither. */
function typedTags(text = ""): string[] {
  return text.split(/[,;]/.test(text) ? /[,;]/ : /\s+/).map((tag) => tag.trim()).filter(Boolean);
}

/**
 * Problems of single tags with the tag in the message: all are typed into one field, where its number
 * would tell nothing.
 */
export function namingTags(problems: readonly FieldProblem[], form: FormValues): FieldProblem[] {
  const tags = typedTags(textOf(form, "tags"));
  return problems.map((problem) => {
    const [, n] = /^tags\.(\d+)$/.exec(problem.field) ?? [];
    if (n === undefined) return problem;
    return {
      ...problem,
      message: `Tags can only have up to ${LIMITS.tagMax} lowercase letters, digits and dashes: ` +
        `“${tags[Number(n)]}”`,
    };
  });
}

/**
 * How a form carries the fields of a record: `texts` as one text each, `choices` as several values
 * of one name. A record cannot be without those that are `required`.
 */
export interface FormFields {
  texts: readonly string[];
  choices: string;
  required: ReadonlySet<string>;
}

/**
 * The fields of a record's schema as a form carries them: its tags are typed into one field, and
 * its choices are ticked.
 */
export function formFields({ shape }: z.ZodObject, choices: string): FormFields {
  const others = new Set([...UNSHOWN, "tags", choices]);
  const texts = Object.keys(shape).filter((name) => !others.has(name));
  const required = new Set(texts.filter((name) => !z.safeParse(shape[name]!, undefined).success));
  return { texts, choices, required };
}

/** The form that an address fills in, so that an agent can hand its human one link. */
export function valuesFromQuery(url: URL, { texts, choices }: FormFields): FormValues {
  const given = (name: string) => url.searchParams.getAll(name);
  const typed = [...texts, "tags"].map((name) => [name, given(name).join(", ") || undefined]);
  const chosen = given(choices).flatMap((value) => value.split(","));
  return { ...Object.fromEntries(typed), [choices]: chosen };
}

/**
 * The form of a stored record, to be edited: each of its fields as text, or several texts, and as its
 * `version` when it last changed.
 */
export function valuesOf(
  record: { updatedAt: string },
  { texts, choices }: FormFields,
): FormValues {
  const names = new Set([...texts, "tags", choices]);
  const own = Object.entries(record).filter(([name, value]) => names.has(name) && value !== null);
  return { ...Object.fromEntries(own), version: record.updatedAt };
}

/**
 * Refuses the form of a record that was changed, at `updatedAt` (ms), after the form was opened: it
 * carries every field, and would take back what another window or an agent saved. It says so once
 * for each change: saving again means it. Throws `invalid_input`.
 */
export function requireCurrent(form: FormValues, updatedAt: number): void {
  const version = isoTime(updatedAt);
  if (form.version === undefined || form.version === version) return;
  form.version = version;
  const message =
    "Someone changed this entry after you opened the form. Save again to replace their changes";
  rejectProblems([{ field: "form", message }]);
}

/** An address as people type it: one of a host without a scheme is of the web. */
function withScheme(typed: string): string {
  return /^[^\s:/?#@]+\.[^\s:/?#@]/.test(typed.trim()) ? `https://${typed.trim()}` : typed;
}

/** A posted form as the body of a submission. Empty fields count as not given; tags are split, addresses made full. */
export function bodyFromForm(
  form: FormValues,
  { texts, choices }: Pick<FormFields, "texts" | "choices">,
): Record<string, unknown> {
  const given = texts.flatMap((name) => {
    const text = textOf(form, name);
    if (text === undefined) return [];
    return [[name, /url$/i.test(name) ? withScheme(text) : text]];
  });
  return {
    ...Object.fromEntries(given),
    tags: typedTags(textOf(form, "tags")).map(asTag),
    [choices]: textsOf(form, choices),
  };
}

/** A posted form as the body of an edit. A field that was emptied is cleared, or refused as empty. */
export function patchFromForm(
  form: FormValues,
  fields: FormFields,
): Record<string, unknown> {
  const cleared = fields.texts.map((name) => [name, fields.required.has(name) ? "" : null]);
  return { ...Object.fromEntries(cleared), ...bodyFromForm(form, fields) };
}

/**
 * Parses the query of a page as `parseQuery` does that of the API, but ignores empty fields, which
 * a form sends as well.
 */
export function parsePageQuery<S extends z.ZodObject>(schema: S, url: URL): z.output<S> {
  return parsePairs(schema, queryPairs(url).filter(([, value]) => value !== ""));
}
