import type { Deps } from "../deps.ts";
import { listProjects } from "../discovery/service.ts";
import { DomainError, notFound } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { type FormValues, slugOf } from "./forms.ts";

/** How many projects are looked at for the one that was meant: those of one name come first. */
const LOOKED_AT = 10;

/**
 * Runs what a form asks for of a project. If no slug is what was typed, it runs for the one live
 * project that has it as its name; if there is none, or several, the error names what was meant
 * perhaps. Throws what `action` throws.
 */
export async function forNamedProject<T>(
  deps: Deps,
  form: FormValues,
  action: (form: FormValues) => Promise<T>,
): Promise<T> {
  try {
    return await action(form);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    const typed = slugOf(form)!;
    const q = typed.slice(0, LIMITS.queryMax);
    const { items } = await listProjects(deps, { q, sort: "best", limit: LOOKED_AT });
    const [named, ...others] = items.filter(({ name }) => name.toLowerCase() === typed);
    if (named && others.length === 0) return await action({ ...form, slug: named.slug });
    if (items.length === 0) throw error;
    throw notFound(`No live project has this slug. Did you mean ${items[0]!.slug}?`);
  }
}
