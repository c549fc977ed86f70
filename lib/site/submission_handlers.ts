import { page } from "fresh";
import type { z } from "zod";
import type { Core } from "../core.ts";
import type { Caller } from "../http/caller.ts";
import {
  bodyFromForm,
  type FieldOf,
  type FormFields,
  type FormState,
  NO_STORE,
  readTyped,
  submitForm,
  UNSENT,
  valuesFromQuery,
} from "../http/forms.ts";
import { parseInput } from "../http/input.ts";
import type { Asked } from "../http/state.ts";

/** What a page with the form of a new record shows. */
export interface SubmissionData<T> extends FormState {
  /** Slug of the record that stands in the way. */
  duplicate?: string;
  created?: T;
}

/** The handlers of the form of a new record. What was made is shown in the answer itself (201). */
export function submissionHandlers<D extends Core, S extends z.ZodType, T>(options: {
  form: FormFields;
  schema: S;
  create: (deps: D, options: { input: z.output<S>; caller: Caller }) => Promise<T>;
  fieldOf: FieldOf;
}) {
  const { form, schema, create, fieldOf } = options;
  return {
    GET(ctx: Asked<D>) {
      const values = valuesFromQuery(ctx.url, form);
      return page<SubmissionData<T>>({ values, problems: [] }, UNSENT);
    },

    async POST(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      const values = await readTyped(ctx);
      const result = await submitForm(() => {
        const input = parseInput(schema, bodyFromForm(values, form), caller.problems);
        return create(deps, { input, caller });
      }, fieldOf);
      if (result.ok) {
        const data = { values: {}, problems: [], created: result.value };
        return page<SubmissionData<T>>(data, { ...NO_STORE, status: 201 });
      }
      const { init, problems, error } = result;
      const duplicate = (error.details as { slug?: string } | undefined)?.slug;
      return page<SubmissionData<T>>({ values, problems, duplicate }, init);
    },
  };
}
