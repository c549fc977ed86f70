import { type FormValues, slugOf, textOf } from "../http/forms.ts";

/** A posted promotion form as the body of an order. */
export function promotionFromForm(
  form: FormValues,
): Record<string, unknown> {
  const autoRenew = textOf(form, "autoRenew");
  return {
    slug: slugOf(form),
    tierId: textOf(form, "tierId"),
    ...(autoRenew !== undefined && { autoRenew: autoRenew === "yes" }),
  };
}
