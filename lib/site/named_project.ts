import { noEntry } from "../entries/entries.ts";
import { DomainError, type FieldProblem, notFound, rejectProblems } from "../errors.ts";
import { type FormValues, slugOf } from "../http/forms.ts";
import { LIMITS } from "../limits.ts";
import type { Deps } from "./deps.ts";

/** How many projects to check for a match: those with the exact name come first. */
const LOOKED_AT = 10;

/**
 * Runs a form's action on a project. If the input isn't a slug, it runs on the only live project
 * with that name. If there are none or several, the error suggests a good match, next to the form's
 * other problems. Throws what `action` throws.
 */
export async function forNamedProject<T>(
  deps: Deps,
  form: FormValues,
  action: (form: FormValues) => Promise<T>,
): Promise<T> {
  try {
    return await action(form);
  } catch (error) {
    const typed = slugOf(form);
    if (!(error instanceof DomainError) || !typed) throw error;
    if (error.code === "not_found") {
      return await action({ ...form, slug: await meantBy(deps, typed) });
    }
    // Fields are validated before the project is looked up.
    const problems = Array.isArray(error.details) ? error.details as FieldProblem[] : [];
    if (problems.length > 0 && !problems.some(({ field }) => field === "slug")) {
      await meantBy(deps, typed).catch((missing) => {
        if (!(missing instanceof DomainError)) throw missing;
        const { code, message, onPage } = missing;
        if (code === "not_found") {
          rejectProblems([{ field: "slug", message: onPage ?? message }, ...problems]);
        }
      });
    }
    throw error;
  }
}

/**
 * The slug of the live project that has this slug, or is the only one with this name. Throws
 * `not_found`.
 */
async function meantBy(deps: Deps, typed: string): Promise<string> {
  if (deps.catalogue.get(typed)) return typed;
  const q = typed.slice(0, LIMITS.queryMax);
  const { items, nearest } = await deps.catalogue.page({ q, sort: "best", limit: LOOKED_AT });
  const [named, ...others] = items.filter(({ name }) => name.toLowerCase() === typed);
  if (named && others.length === 0) return named.slug;
  if (nearest || items.length === 0) throw noEntry("listing");
  throw notFound(`We couldn't find that project. Did you mean ${items[0]!.slug}?`);
}
