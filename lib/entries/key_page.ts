import { page } from "fresh";
import type { Core } from "../core.ts";
import { readForm } from "../http/body.ts";
import { editKeyOf, type FormState, NO_STORE, submitForm } from "../http/forms.ts";
import type { Asked } from "../http/state.ts";
import type { OwnerRequest } from "./edit_key.ts";

/**
 * The content of a page that asks for an entry's edit key, then shows or does something for its
 * owner.
 */
export interface KeyPageData<T> extends Pick<FormState, "problems"> {
  name: string;
  /** What the key opened. */
  shown?: T;
}

/**
 * Handlers of such a page. `nameOf` reads the entry's name and throws `not_found` if there is none.
 * `open` gets what the page shows and throws if the key is wrong.
 */
export function keyPageHandlers<D extends Core, T>(
  nameOf: (deps: D, slug: string) => Promise<string>,
  open: (deps: D, options: OwnerRequest) => Promise<T>,
) {
  return {
    async GET(ctx: Asked<D>) {
      const name = await nameOf(ctx.state.deps, ctx.params.slug!);
      return page<KeyPageData<T>>({ name, problems: [] }, NO_STORE);
    },

    async POST(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      const name = await nameOf(deps, slug);
      const editKey = editKeyOf(await readForm(ctx.req));
      const work = () => open(deps, { slug, editKey, caller });
      const result = await submitForm(work, { notFound: "form" });
      return result.ok
        ? page<KeyPageData<T>>({ name, problems: [], shown: result.value }, NO_STORE)
        : page<KeyPageData<T>>({ name, problems: result.problems }, result.init);
    },
  };
}
