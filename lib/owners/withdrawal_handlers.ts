import { page } from "fresh";
import type { Core } from "../core.ts";
import type { EntryKind } from "../entries/entries.ts";
import { readForm } from "../http/body.ts";
import { editKeyOf, type FormState, NO_STORE, submitForm } from "../http/forms.ts";
import type { Asked } from "../http/state.ts";
import { withdrawEntry } from "./withdrawal.ts";

/** What the page that confirms a withdrawal shows; `isDone` once the entry is gone. */
export interface WithdrawalData extends Pick<FormState, "problems"> {
  name: string;
  isDone: boolean;
}

/**
 * The handlers of the page that confirms a withdrawal. `nameOf` reads the entry's name and throws
 * `not_found` if there is none.
 */
export function withdrawalHandlers<D extends Core>(
  kind: EntryKind,
  nameOf: (deps: D, slug: string) => Promise<string>,
) {
  return {
    async GET(ctx: Asked<D>) {
      const name = await nameOf(ctx.state.deps, ctx.params.slug!);
      return page<WithdrawalData>({ name, problems: [], isDone: false }, NO_STORE);
    },

    async POST(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      const name = await nameOf(deps, slug);
      const editKey = editKeyOf(await readForm(ctx.req));
      const result = await submitForm(
        () => withdrawEntry(deps, kind, { slug, editKey, caller }),
        { bad_edit_key: "editKey" },
      );
      if (result.ok) return page<WithdrawalData>({ name, problems: [], isDone: true }, NO_STORE);
      const { init, problems } = result;
      return page<WithdrawalData>({ name, problems, isDone: false }, init);
    },
  };
}
