import { bodyFromForm, formFields, patchFromForm, textOf } from "@/lib/site/forms.ts";
import { comparedForm, SkillInput } from "@/lib/skills/schema.ts";

const FIELDS = formFields(SkillInput, "worksWith");

/** A posted form as the body of a submission. */
export function skillFromForm(form: Record<string, string | string[]>): Record<string, unknown> {
  return bodyFromForm(form, FIELDS);
}

/**
 * A posted form as the body of an edit. A form cannot carry every line ending, so content that differs in those
 * alone is not touched.
 */
export function skillPatchFromForm(
  form: Record<string, string | string[]>,
  content: string,
): Record<string, unknown> {
  const patch = patchFromForm(form, FIELDS);
  const sent = textOf(form, "content");
  if (sent !== undefined && comparedForm(sent) === comparedForm(content)) delete patch.content;
  return patch;
}
