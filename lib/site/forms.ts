import { DomainError, type FieldProblem } from "../errors.ts";

/** What came of a form: its result, or what the person has to mend, with the status of the page. */
export type FormResult<T> = { ok: true; value: T } | {
  ok: false;
  status: number;
  problems: FieldProblem[];
  error: DomainError;
};

/**
 * Runs a form's action. What a person can mend by changing the form comes back as problems, to be shown
 * beside the fields; everything else is thrown on to the boundary.
 */
export async function submitForm<T>(
  action: () => Promise<T>,
  /** The field that a code without such a list is about. */
  fieldOf: Partial<Record<DomainError["code"], string>> = {},
): Promise<FormResult<T>> {
  try {
    return { ok: true, value: await action() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const field = fieldOf[error.code];
    // Codes with a list of details, such as invalid_input, name their fields themselves.
    const problems = Array.isArray(error.details)
      ? error.details as FieldProblem[]
      : field === undefined
      ? null
      : [{ field, message: error.message }];
    if (problems === null) throw error;
    return { ok: false, status: error.status, problems, error };
  }
}

/** The one text of a form field, or undefined. */
export function textOf(form: Record<string, string | string[]>, name: string): string | undefined {
  const value = form[name];
  return Array.isArray(value) ? value[0] : value;
}

/** All texts of a form field. */
export function textsOf(form: Record<string, string | string[]>, name: string): string[] {
  const value = form[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** Items typed into one field with commas or spaces between them. */
export function splitItems(text: string | undefined): string[] {
  return (text ?? "").split(/[\s,]+/).filter(Boolean);
}

/** How a form carries the fields of a record: `texts` as one text each, `choices` as several under one name. */
export interface FormFields {
  texts: readonly string[];
  choices: string;
}

/** The fields of a record's schema as a form carries them: its tags are typed into one field, the choices ticked. */
export function formFields(schema: { shape: object }, choices: string): FormFields {
  const texts = Object.keys(schema.shape).filter((name) => name !== "tags" && name !== choices);
  return { texts, choices };
}

/** A posted form as the body of a submission: empty fields are not given, tags are split. */
export function bodyFromForm(
  form: Record<string, string | string[]>,
  { texts, choices }: FormFields,
): Record<string, unknown> {
  const given = texts.flatMap((name) => {
    const text = textOf(form, name);
    return text === undefined ? [] : [[name, text]];
  });
  return {
    ...Object.fromEntries(given),
    tags: splitItems(textOf(form, "tags")?.toLowerCase()),
    [choices]: textsOf(form, choices),
  };
}

/** A posted form as the body of an edit: a field that was emptied is cleared. */
export function patchFromForm(
  form: Record<string, string | string[]>,
  fields: FormFields,
): Record<string, unknown> {
  const cleared = fields.texts.map((name) => [name, null]);
  return { ...Object.fromEntries(cleared), ...bodyFromForm(form, fields) };
}

/** The address of a GET form without its empty fields: a form sends them too, and they ask for nothing. */
export function withoutBlanks(url: URL): URL {
  const cleaned = new URL(url);
  for (const [name, value] of url.searchParams) {
    if (value === "") cleaned.searchParams.delete(name, "");
  }
  return cleaned;
}
