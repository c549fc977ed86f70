import { splitItems, textOf, textsOf } from "@/lib/site/forms.ts";
import { comparedForm, SkillInput } from "@/lib/skills/schema.ts";

/** Fields of a skill that a form sends as one text each. */
const TEXT_FIELDS = Object.keys(SkillInput.shape).filter((name) =>
  name !== "tags" && name !== "worksWith"
);

/** A posted form as the body of a submission: empty fields are not given, tags are split. */
export function skillFromForm(form: Record<string, string | string[]>): Record<string, unknown> {
  const given = TEXT_FIELDS.flatMap((name) => {
    const text = textOf(form, name);
    return text === undefined ? [] : [[name, text]];
  });
  return {
    ...Object.fromEntries(given),
    tags: splitItems(textOf(form, "tags")?.toLowerCase()),
    worksWith: textsOf(form, "worksWith"),
  };
}

/**
 * A posted form as the body of an edit: a field that was emptied is cleared. A form cannot carry every line
 * ending, so content that differs in those alone is not touched.
 */
export function skillPatchFromForm(
  form: Record<string, string | string[]>,
  content: string,
): Record<string, unknown> {
  const cleared = TEXT_FIELDS.map((name) => [name, null]);
  const patch: Record<string, unknown> = { ...Object.fromEntries(cleared), ...skillFromForm(form) };
  const sent = textOf(form, "content");
  if (sent !== undefined && comparedForm(sent) === comparedForm(content)) delete patch.content;
  return patch;
}
