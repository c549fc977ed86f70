import { bodyFromForm, formFields, type FormValues, patchFromForm } from "../site/forms.ts";
import { ListingInput } from "./schema.ts";

/** How a form carries the fields of a listing. */
export const LISTING_FORM = formFields(ListingInput, "builtWith");

/** A posted form as the body of a submission. */
export function listingFromForm(form: FormValues): Record<string, unknown> {
  return bodyFromForm(form, LISTING_FORM);
}

/** A posted form as the body of an edit. The email is never shown, so an empty one stays as it was. */
export function listingPatchFromForm(
  form: FormValues,
): Record<string, unknown> {
  const { contactEmail, ...patch } = patchFromForm(form, LISTING_FORM);
  return contactEmail === null ? patch : { ...patch, contactEmail };
}
