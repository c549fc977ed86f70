import { splitItems, textOf, textsOf } from "../site/forms.ts";
import { ListingInput } from "./schema.ts";

/** Fields of a listing that a form sends as one text each. */
const TEXT_FIELDS = Object.keys(ListingInput.shape).filter((name) =>
  name !== "tags" && name !== "builtWith"
);

/** A posted form as the body of a submission: empty fields are not given, tags are split. */
export function listingFromForm(form: Record<string, string | string[]>): Record<string, unknown> {
  const given = TEXT_FIELDS.flatMap((name) => {
    const text = textOf(form, name);
    return text === undefined ? [] : [[name, text]];
  });
  return {
    ...Object.fromEntries(given),
    tags: splitItems(textOf(form, "tags")?.toLowerCase()),
    builtWith: textsOf(form, "builtWith"),
  };
}

/**
 * A posted form as the body of an edit: a field that was emptied is cleared. The email is never shown, so
 * an empty one stays as it was.
 */
export function listingPatchFromForm(
  form: Record<string, string | string[]>,
): Record<string, unknown> {
  const cleared = TEXT_FIELDS.filter((name) => name !== "contactEmail").map((name) => [name, null]);
  return { ...Object.fromEntries(cleared), ...listingFromForm(form) };
}
