import { page } from "fresh";
import type { z } from "zod";
import type { Core } from "../core.ts";
import { createEditKey, OwnEditKey } from "../entries/edit_key.ts";
import type { Caller } from "../http/caller.ts";
import {
  bodyFromForm,
  type FieldOf,
  type FormFields,
  type FormState,
  type FormValues,
  NO_STORE,
  readTyped,
  submitForm,
  textOf,
  UNSENT,
  valuesFromQuery,
} from "../http/forms.ts";
import { parseInput } from "../http/input.ts";
import { wantsMarkdown } from "../http/respond.ts";
import type { Asked } from "../http/state.ts";

/** What a page with the form of a new record shows. */
export interface SubmissionData<T, P = unknown> extends FormState {
  /** Slug of the record that is already there. */
  duplicate?: string;
  created?: T;
  /** What it would become, where that was asked for. */
  preview?: P;
}

/**
 * The handlers of the form of a new record. What was made is shown in the answer itself (201). A form
 * whose button is called `preview` makes nothing: `preview` tells what it would become.
 */
export function submissionHandlers<D extends Core, S extends z.ZodType, T, P>(options: {
  form: FormFields;
  schema: S;
  create: (deps: D, options: { input: z.output<S>; caller: Caller }) => Promise<T>;
  preview: (deps: D, options: { input: z.output<S>; caller: Caller }) => Promise<P>;
  fieldOf: FieldOf;
}) {
  const { form, schema, create, preview, fieldOf } = options;
  // Each form brings an edit key of its own, so that sending it again leads to the same record.
  const keyed = (values: FormValues): FormValues => {
    const own = OwnEditKey.safeParse(textOf(values, "editKey")).data;
    return { ...values, editKey: own ?? createEditKey().editKey };
  };
  return {
    GET(ctx: Asked<D>) {
      const filled = valuesFromQuery(ctx.url, form);
      // The Markdown twin describes the form, and stays the same.
      const values = wantsMarkdown(ctx.req, "text/html") ? filled : keyed(filled);
      return page<SubmissionData<T, P>>({ values, problems: [] }, UNSENT);
    },

    async POST(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      const values = keyed(await readTyped(ctx));
      const isPreview = values.preview !== undefined;
      const result = await submitForm(async () => {
        const body = { ...bodyFromForm(values, form), editKey: values.editKey };
        const input = parseInput(schema, body, caller.problems);
        return isPreview
          ? { preview: await preview(deps, { input, caller }) }
          : { created: await create(deps, { input, caller }) };
      }, fieldOf);
      if (result.ok) {
        const data = { values: isPreview ? values : {}, problems: [], ...result.value };
        return page<SubmissionData<T, P>>(data, { ...NO_STORE, status: isPreview ? 200 : 201 });
      }
      const { init, problems, error } = result;
      const duplicate = (error.details as { slug?: string } | undefined)?.slug;
      return page<SubmissionData<T, P>>({ values, problems, duplicate }, init);
    },
  };
}
