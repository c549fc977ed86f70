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

/** The address of a GET form without its empty fields: a form sends them too, and they ask for nothing. */
export function withoutBlanks(url: URL): URL {
  const cleaned = new URL(url);
  for (const [name, value] of url.searchParams) {
    if (value === "") cleaned.searchParams.delete(name, "");
  }
  return cleaned;
}
