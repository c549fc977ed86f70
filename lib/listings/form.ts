import { bodyFromForm, formFields, patchFromForm } from "../site/forms.ts";
import { ListingInput } from "./schema.ts";

const FIELDS = formFields(ListingInput, "builtWith");

/** A posted form as the body of a submission. */
export function listingFromForm(form: Record<string, string | string[]>): Record<string, unknown> {
  return bodyFromForm(form, FIELDS);
}

/** A posted form as the body of an edit. The email is never shown, so an empty one stays as it was. */
export function listingPatchFromForm(
  form: Record<string, string | string[]>,
): Record<string, unknown> {
  const { contactEmail, ...patch } = patchFromForm(form, FIELDS);
  return contactEmail === null ? patch : { ...patch, contactEmail };
}
