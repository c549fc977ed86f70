import { z } from "zod";
import { isoTime } from "../clock.ts";
import { DomainError, type ErrorCode, type FieldProblem, rejectProblems } from "../errors.ts";
import { asTag } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { readForm } from "./body.ts";
import { parsePairs } from "./input.ts";

/** What was typed into a form: each field's text, or several. */
export type FormValues = Record<string, string | string[] | undefined>;

/** The state of a form: what was typed, and its problems. */
export interface FormState {
  values: FormValues;
  problems: readonly FieldProblem[];
}

/** Reads a posted form that people fill in. Throws like `readForm`. */
export async function readTyped(
  { req, state }: { req: Request; state: { typed?: FormValues } },
): Promise<FormValues> {
  return state.typed = await readForm(req);
}

/** Form fields that are never shown again, or that nobody types. */
const UNSHOWN = new Set(["editKey", "unlock", "version"]);

/** The name and text of each typed field, for an error page that cannot show the form. */
export function shownTyped(typed: FormValues = {}): [name: string, text: string][] {
  const values = Object.entries(typed).filter(([name]) => !UNSHOWN.has(name));
  return values.map(([name, value]) => [name, [value].flat().join(", ")]);
}

/** Page options for responses about one caller, such as a form's result: never cached. */
export const NO_STORE = { headers: { "Cache-Control": "private, no-store" } };

/**
 * Page options for a form not sent yet. Browsers discard typed text on pages that they may not
 * store: people who read the terms and went back found an empty form.
 */
export const UNSENT = { headers: { "Cache-Control": "private, no-cache" } };

/**
 * A form's outcome: its result, or the problems to fix and the options of the page that shows them.
 */
type FormResult<T> = { ok: true; value: T } | {
  ok: false;
  problems: FieldProblem[];
  error: DomainError;
  init: { status: number; headers: Record<string, string> };
};

/** The field to blame for an error whose details name none, by error code. */
const BLAMED: Partial<Record<ErrorCode, string>> = {
  amount_too_high: "amount",
  auction_not_open: "amount",
  bad_edit_key: "editKey",
  bid_too_low: "amount",
  busy: "form",
  duplicate_skill: "content",
  duplicate_url: "url",
  unknown_tier: "tierId",
  write_in_limit: "writeIn",
};

/**
 * Statuses of temporary errors (a limit, a pause, storage, the payment provider). The same form can
 * be sent again.
 */
const PASSING = new Set([429, 502, 503]);

/** Form messages for errors whose own message is less specific, or sends people to the form. */
const ON_PAGE: Partial<Record<ErrorCode, string>> = {
  bad_edit_key: "Edit key is wrong",
  fetcher_unavailable: "This site can't check ownership automatically right now",
};

/** What a form says about an empty field, by field name. */
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

/** A field's problem as a form words it: it asks for what is missing. */
function onPageOf({ field, message, onPage, isMissing }: FieldProblem): FieldProblem {
  return { field, message: onPage ?? ((isMissing && ASKS[field]) || message) };
}

/**
 * Runs a form's action. Errors that a person can fix, by changing the form or by waiting, are
 * returned as problems, so the page keeps the typed text. Any other error goes on to the boundary.
 * `notFound` is the field to blame for `not_found`.
 */
export async function submitForm<T>(
  action: () => Promise<T>,
  { notFound }: { notFound?: string } = {},
): Promise<FormResult<T>> {
  try {
    return { ok: true, value: await action() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const blamed = error.code === "not_found" ? notFound : BLAMED[error.code];
    const field = blamed ?? (PASSING.has(error.status) ? "form" : undefined);
    // Codes with a list of details, such as invalid_input, name their own fields.
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

/** The edit key that a person pasted, trimmed; empty if there is none. */
export function editKeyOf(form: FormValues): string {
  return textOf(form, "editKey")?.trim() ?? "";
}

/** The slug of a listing, typed as such or as the listing's page URL. */
export function slugOf(form: FormValues): string | undefined {
  const typed = textOf(form, "slug")?.trim();
  if (typed === undefined) return typed;
  const slug = /\s/.test(typed) ? typed : typed.replace(/^.*\/p\/([^/?#]+).*$/, "$1");
  // Slugs have no capitals, but phones capitalize the first letter.
  return slug.toLowerCase();
}

/** All texts of a form field. */
export function textsOf(form: FormValues, name: string): string[] {
  return [form[name] ?? []].flat();
}

/** Tags typed into one field, separated by commas or semicolons, or else by spaces. */
function typedTags(text = ""): string[] {
  return text.split(/[,;]/.test(text) ? /[,;]/ : /\s+/).map((tag) => tag.trim()).filter(Boolean);
}

/**
 * Adds the tag to the message of each problem with a tag. All tags share one field, so an index
 * would not help.
 */
export function namingTags(problems: readonly FieldProblem[], form: FormValues): FieldProblem[] {
  const tags = typedTags(textOf(form, "tags"));
  return problems.map((problem) => {
    const [, n] = /^tags\.(\d+)$/.exec(problem.field) ?? [];
    if (n === undefined) return problem;
    return {
      ...problem,
      message: `Tags can only have lowercase letters, digits and dashes, up to ${LIMITS.tagMax}: ` +
        `“${tags[Number(n)]}”`,
    };
  });
}

/**
 * How a form carries a record's fields: `texts` as single texts, `choices` as repeated values of
 * one name. The fields in `required` must have a value.
 */
export interface FormFields {
  texts: readonly string[];
  choices: string;
  required: ReadonlySet<string>;
}

/** The form fields of a record's schema: tags are typed into one field, choices are checked. */
export function formFields({ shape }: z.ZodObject, choices: string): FormFields {
  const others = new Set([...UNSHOWN, "tags", choices]);
  const texts = Object.keys(shape).filter((name) => !others.has(name));
  const required = new Set(texts.filter((name) => !z.safeParse(shape[name]!, undefined).success));
  return { texts, choices, required };
}

/** Form values from a URL's query, so an agent can hand its human one link. */
export function valuesFromQuery(url: URL, { texts, choices }: FormFields): FormValues {
  const given = (name: string) => url.searchParams.getAll(name);
  const typed = [...texts, "tags"].map((name) => [name, given(name).join(", ") || undefined]);
  const chosen = given(choices).flatMap((value) => value.split(","));
  return { ...Object.fromEntries(typed), [choices]: chosen };
}

/**
 * A stored record as form values for editing: each field as one or more texts, and the time of its
 * last change as `version`.
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
 * Refuses a form if its record was changed, at `updatedAt` (ms), after the form was opened: the
 * form carries every field and would undo edits saved by another window or an agent. It refuses
 * once per change; saving again overwrites. Throws `invalid_input`.
 */
export function requireCurrent(form: FormValues, updatedAt: number): void {
  const version = isoTime(updatedAt);
  if (form.version === undefined || form.version === version) return;
  form.version = version;
  const message =
    "Someone changed this entry after you opened the form. Save again to replace their changes";
  rejectProblems([{ field: "form", message }]);
}

/** A URL as people type it: a bare host gets a web scheme. */
function withScheme(typed: string): string {
  return /^[^\s:/?#@]+\.[^\s:/?#@]/.test(typed.trim()) ? `https://${typed.trim()}` : typed;
}

/**
 * A posted form as the body of a submission. Empty fields are left out, tags split, and URLs
 * completed.
 */
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

/** A posted form as the body of an edit. An emptied field is cleared, or refused as empty. */
export function patchFromForm(
  form: FormValues,
  fields: FormFields,
): Record<string, unknown> {
  const cleared = fields.texts.map((name) => [name, fields.required.has(name) ? "" : null]);
  return { ...Object.fromEntries(cleared), ...bodyFromForm(form, fields) };
}

/**
 * Parses a page's query like `parseQuery`, but ignores empty fields, which forms also send. A list
 * also takes `page`, counted from 1, instead of `offset`: people and agents guess it.
 */
export function parsePageQuery<S extends z.ZodObject>(schema: S, url: URL): z.output<S> {
  const query = parsePairs(schema, [...url.searchParams].filter(([, value]) => value !== ""));
  const { limit = 0, offset } = query as { limit?: number; offset?: number };
  const page = /^[1-9]\d{0,5}$/.exec(url.searchParams.get("page") ?? "");
  if (offset !== 0 || page === null) return query;
  return { ...query, offset: (Number(page[0]) - 1) * limit };
}
