import { page } from "fresh";
import { readForm } from "../http/body.ts";
import type { Caller } from "../http/caller.ts";
import { editKeyOf, type FieldOf, type FormState, NO_STORE, submitForm } from "../http/forms.ts";
import type { Asked } from "../http/state.ts";
import type { Deps } from "./deps.ts";
import { getEditable } from "./service.ts";

/** What a page shows that asks for a listing's edit key, and then shows what only its holder may see. */
export interface KeyPageData<T> extends Pick<FormState, "problems"> {
  name: string;
  /** What the key opened. */
  shown?: T;
}

/** The handlers of such a page. `read` gets what it shows, and throws what a wrong key throws. */
export function keyPageHandlers<D extends Deps, T>(
  read: (deps: D, options: { slug: string; editKey: string; caller: Caller }) => Promise<T>,
  fieldOf: FieldOf = {},
) {
  const nameOf = async (deps: D, slug: string) => (await getEditable(deps, slug))?.name ?? slug;
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
      const result = await submitForm(
        () => read(deps, { slug, editKey, caller }),
        { bad_edit_key: "editKey", ...fieldOf },
      );
      return result.ok
        ? page<KeyPageData<T>>({ name, problems: [], shown: result.value }, NO_STORE)
        : page<KeyPageData<T>>({ name, problems: result.problems }, result.init);
    },
  };
}
