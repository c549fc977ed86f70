import { formFields, type FormValues, patchFromForm, textOf } from "../http/forms.ts";
import { ListingInput } from "./schema.ts";

/** How a form carries the fields of a listing. */
export const LISTING_FORM = formFields(ListingInput, "builtWith");

/** The edit form's checkboxes that remove the stored value of a private field, by field. */
export const FORGET = { contactEmail: "forgetEmail", notifyUrl: "forgetNotifyUrl" } as const;

/**
 * A posted form as the body of an edit. The form never shows the stored value of a private field,
 * so an empty field keeps it unless the box to remove it is checked.
 */
export function listingPatchFromForm(
  form: FormValues,
): Record<string, unknown> {
  const patch: Record<string, unknown> = patchFromForm(form, LISTING_FORM);
  for (const [field, box] of Object.entries(FORGET)) {
    if (patch[field] === null && textOf(form, box) === undefined) delete patch[field];
  }
  return patch;
}
