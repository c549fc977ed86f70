import { LIMITS } from "../lib/limits.ts";
import { paths } from "../lib/urls.ts";
import { textLimit } from "./FormField.tsx";

/**
 * A search field for projects, for pages without the list's filters. On a page with two, one has a
 * `label` to tell them apart.
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
