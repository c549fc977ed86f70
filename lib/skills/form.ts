import { formFields, type FormValues, patchFromForm, textOf } from "../http/forms.ts";
import { comparedForm, SkillInput } from "./schema.ts";

/** How a form carries the fields of a skill. */
export const SKILL_FORM = formFields(SkillInput, "worksWith");

/**
 * A posted form as the body of an edit. Forms cannot carry every line ending, nor a first line
 * break, so content that differs from the stored `content` only in line endings and outer
 * whitespace is left out.
 */
export function skillPatchFromForm(
  form: FormValues,
  content: string,
): Record<string, unknown> {
  const patch = patchFromForm(form, SKILL_FORM);
  const sent = textOf(form, "content");
  if (sent !== undefined && comparedForm(sent) === comparedForm(content)) delete patch.content;
  return patch;
}
