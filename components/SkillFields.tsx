import { skillKinds } from "../lib/catalog/skill_kinds.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { LIMITS } from "../lib/limits.ts";
import type { FormValues } from "../lib/site/forms.ts";
import { formatCount } from "../lib/text/count.ts";
import { ChoiceField, SelectField, TextArea, TextField } from "./FormField.tsx";
import { ToolMark } from "./ToolMark.tsx";

/** Names of the skill's fields as the forms call them. */
export const SKILL_LABELS: Readonly<Record<string, string>> = {
  title: "Title",
  summary: "Summary",
  kind: "Kind",
  content: "Content",
  category: "Category",
  worksWith: "Works with",
  tags: "Tags",
  installHint: "How to install it",
  author: "Author",
  license: "License",
  origin: "Who wrote it",
  sourceUrl: "Source",
  editKey: "Edit key",
};

/** The fields of a skill, shared by the submit and the edit form. */
export function SkillFields(
  { values, problems }: { values: FormValues; problems: readonly FieldProblem[] },
) {
  const text = (name: string) => {
    const value = values[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const common = (name: string) => ({ name, label: SKILL_LABELS[name]!, problems });
  return (
    <>
      <TextField
        {...common("title")}
        value={text("title")}
        maxLength={LIMITS.skillTitleMax}
        required
      />
      <TextField
        {...common("summary")}
        value={text("summary")}
        maxLength={LIMITS.skillSummaryMax}
        required
        hint="What it does and when to use it, in one sentence."
      />
      <SelectField
        {...common("kind")}
        value={text("kind")}
        none="Choose one"
        required
        options={skillKinds.map(({ kind, name }) => ({ value: kind, label: name }))}
      />
      <TextArea
        {...common("content")}
        value={text("content")}
        maxLength={LIMITS.skillContentMax}
        rows={18}
        code
        required
        hint={`The instructions themselves, ${LIMITS.skillContentMin} to ${
          formatCount(LIMITS.skillContentMax)
        } characters. The same content can be shared once.`}
      />
      <ChoiceField
        {...common("worksWith")}
        type="checkbox"
        values={[values.worksWith ?? []].flat()}
        options={tools.map(({ slug, name }) => ({
          value: slug,
          label: (
            <>
              <ToolMark slug={slug} /> {name}
            </>
          ),
        }))}
      />
      <div class="field-pair">
        <TextField
          {...common("category")}
          value={text("category")}
          maxLength={LIMITS.tagMax}
          hint="One word: lowercase letters, digits and dashes."
        />
        <TextField
          {...common("tags")}
          value={text("tags")}
          hint={`Up to ${LIMITS.tagsMax}, with commas between them.`}
        />
      </div>
      <ChoiceField
        {...common("origin")}
        type="radio"
        values={[values.origin ?? "original"].flat()}
        hint="What others wrote needs its license and source."
        options={[
          { value: "original", label: "I did, or we did" },
          { value: "third-party", label: "Someone else" },
        ]}
      />
      <div class="field-pair">
        <TextField
          {...common("license")}
          value={text("license")}
          maxLength={60}
          placeholder="MIT"
          hint="One SPDX identifier."
        />
        <TextField
          {...common("sourceUrl")}
          value={text("sourceUrl")}
          type="url"
          maxLength={LIMITS.urlMax}
          placeholder="https://"
        />
      </div>
      <TextField {...common("author")} value={text("author")} maxLength={LIMITS.authorMax} />
      <TextArea
        {...common("installHint")}
        value={text("installHint")}
        maxLength={LIMITS.installHintMax}
        rows={3}
        hint="Only where the usual way for its kind does not say enough."
      />
    </>
  );
}
