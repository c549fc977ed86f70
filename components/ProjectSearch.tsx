import { LIMITS } from "../lib/limits.ts";
import { paths } from "../lib/urls.ts";
import { textLimit } from "./FormField.tsx";

/**
 * A field that searches the projects, for pages without the filters of their list. Where a page has two,
 * one has a `label` to be told apart by.
 */
export function ProjectSearch({ id = "q", label }: { id?: string; label?: string }) {
  return (
    <form action={paths.projects} class="search" aria-label={label} role="search">
      <label for={id} class="quiet">Search projects</label>
      <input
        id={id}
        name="q"
        type="search"
        dir="auto"
        {...textLimit(LIMITS.queryMax)}
        placeholder="Search projects"
      />
      <button type="submit" class="button">Search</button>
    </form>
  );
}
