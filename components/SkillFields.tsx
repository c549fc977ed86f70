import { skillKinds } from "../lib/catalog/skill_kinds.ts";
import { type FormState, textOf, textsOf } from "../lib/http/forms.ts";
import { LIMITS } from "../lib/limits.ts";
import type { SkillInput } from "../lib/skills/schema.ts";
import { formatCount } from "../lib/text/count.ts";
import {
  ChoiceField,
  fieldProps,
  FormRest,
  SelectField,
  TextArea,
  TextField,
  ToolsField,
  UrlField,
} from "./FormField.tsx";

/** The labels of the fields in the collapsed part of the form. */
const FOLDED = { worksWith: "Works with", author: "Author", installHint: "How to install it" };

/** The labels of the skill's form fields, in order. */
export const SKILL_LABELS = {
  editKey: "Edit key",
  title: "Title",
  summary: "Summary",
  kind: "Kind",
  content: "Content",
  category: "Category",
  tags: "Tags",
  origin: "Who wrote it",
  license: "License",
  sourceUrl: "Source",
  ...FOLDED,
} satisfies Record<keyof typeof SkillInput.shape | "editKey", string>;

/** A skill's fields, for the submit and edit forms. */
export function SkillFields({ values, problems }: FormState) {
  const { common, typed } = fieldProps(SKILL_LABELS, { values, problems });
  const origin = textOf(values, "origin") ?? "original";
  const isTheirs = origin === "third-party";
  return (
    <>
      <TextField
        {...typed("title")}
        characters={LIMITS.skillTitleMax}
        required
      />
      <TextField
        {...typed("summary")}
        characters={LIMITS.skillSummaryMax}
        required
        hint="What it does and when to use it, in one sentence."
      />
      <SelectField
        {...typed("kind")}
        none="Choose one"
        required
        options={skillKinds.map(({ kind, name }) => ({ value: kind, label: name }))}
      />
      <TextArea
        {...typed("content")}
        rows={12}
        code
        required
        hint={`The instructions, ${LIMITS.skillContentMin} to ${
          formatCount(LIMITS.skillContentMax)
        } characters. Identical content can't be shared twice.`}
      />
      <div class="field-pair">
        <TextField
          {...typed("category")}
          verbatim="lowercase"
          maxLength={LIMITS.tagMax}
          hint="Saved in lowercase with dashes, such as dev-tools."
        />
        <TextField
          {...typed("tags")}
          verbatim="lowercase"
          hint={`Up to ${LIMITS.tagsMax} tags, separated by commas.`}
        />
      </div>
      <ChoiceField
        {...common("origin")}
        type="radio"
        values={[origin]}
        hint="If someone else wrote it, add its license and source."
        options={[
          { value: "original", label: "I did" },
          { value: "third-party", label: "Someone else" },
        ]}
      />
      <div class="field-pair">
        <TextField
          {...typed("license")}
          maxLength={LIMITS.licenseMax}
          placeholder="MIT"
          verbatim="anyCase"
          isConditional={isTheirs}
          hint="Its short name, such as CC-BY-4.0."
        />
        <UrlField
          {...typed("sourceUrl")}
          isConditional={isTheirs}
          hint="Where you found it."
        />
      </div>
      <FormRest
        values={values}
        problems={problems}
        names={Object.keys(FOLDED)}
        summary="More details: tools, author, install notes"
      >
        <ToolsField
          {...common("worksWith")}
          values={textsOf(values, "worksWith")}
        />
        <TextField {...typed("author")} autocomplete="name" characters={LIMITS.authorMax} />
        <TextArea
          {...typed("installHint")}
          rows={3}
          hint={`Only if it needs extra steps. Up to ${LIMITS.installHintMax} characters.`}
        />
      </FormRest>
    </>
  );
}
