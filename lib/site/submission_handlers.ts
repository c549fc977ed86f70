import { page } from "fresh";
import type { z } from "zod";
import type { Core } from "../core.ts";
import { createEditKey, OwnEditKey } from "../entries/edit_key.ts";
import type { Caller } from "../http/caller.ts";
import {
  bodyFromForm,
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

/** The data of a page with the form for a new record. */
export interface SubmissionData<T, P = unknown> extends FormState {
  /** The slug of the existing record. */
  duplicate?: string;
  created?: T;
  /** What the record would look like, if a preview was requested. */
  preview?: P;
}

/**
 * The handlers of the form for a new record. The response itself shows the new record (201). If the
 * form was sent by a button named `preview`, nothing is created: `preview` returns what the record
 * would look like.
 */
export function submissionHandlers<D extends Core, S extends z.ZodType, T, P>(options: {
  form: FormFields;
  schema: S;
  create: (deps: D, options: { input: z.output<S>; caller: Caller }) => Promise<T>;
  preview: (deps: D, options: { input: z.output<S>; caller: Caller }) => Promise<P>;
}) {
  const { form, schema, create, preview } = options;
  // Each form comes with its own edit key, so sending it again leads to the same record.
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
      });
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
