import { formFields, type FormValues, patchFromForm, textOf } from "../http/forms.ts";
import { ListingInput } from "./schema.ts";

/** How a form carries the fields of a listing. */
export const LISTING_FORM = formFields(ListingInput, "builtWith");

/** The name of the checkbox in the edit form that removes the stored email. */
export const FORGET_EMAIL = "forgetEmail";

/**
 * A posted form as the body of an edit. The stored email is never shown in the form, so an empty
 * field keeps it unless the box to remove it is checked.
 */
export function listingPatchFromForm(
  form: FormValues,
): Record<string, unknown> {
  const { contactEmail, ...patch } = patchFromForm(form, LISTING_FORM);
  const keepsEmail = contactEmail === null && textOf(form, FORGET_EMAIL) === undefined;
  return keepsEmail ? patch : { ...patch, contactEmail };
}
