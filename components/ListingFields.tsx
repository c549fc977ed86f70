import { accents, parseAccent } from "../lib/catalog/accents.ts";
import { categories } from "../lib/catalog/categories.ts";
import { pricingModels } from "../lib/catalog/pricing.ts";
import { type FormState, textOf, textsOf } from "../lib/http/forms.ts";
import { LIMITS } from "../lib/limits.ts";
import { FORGET_EMAIL } from "../lib/listings/form.ts";
import type { ListingInput } from "../lib/listings/schema.ts";
import { formatCount } from "../lib/text/count.ts";
import { accentClass } from "../lib/themes/stylesheet.ts";
import {
  ChoiceField,
  fieldProps,
  FormRest,
  SelectField,
  TagField,
  TextArea,
  TextField,
  ToolsField,
  UrlField,
} from "./FormField.tsx";

/** The labels of the listing's form fields, in their order. */
export const LISTING_LABELS = {
  editKey: "Edit key",
  name: "Name",
  url: "URL",
  tagline: "Tagline",
  description: "Description",
  category: "Category",
  pricing: "Price",
  tags: "Tags",
  builtWith: "Built with",
  accent: "Accent color",
  logoUrl: "Logo",
  repoUrl: "Repository",
  submittedBy: "Your name",
  contactEmail: "Contact email",
  [FORGET_EMAIL]: "Stored contact email",
} satisfies Record<keyof typeof ListingInput.shape | typeof FORGET_EMAIL | "editKey", string>;

/** Fields that a new listing can do without. */
const FOLDED = ["builtWith", "accent", "logoUrl", "repoUrl", "submittedBy", "contactEmail"];

/**
 * The fields of a listing, for the submit and the edit form. The email of a stored listing is never
 * shown.
 */
export function ListingFields(
  { values, problems, isStored = false }: FormState & { isStored?: boolean },
) {
  const { common, typed } = fieldProps(LISTING_LABELS, { values, problems });
  return (
    <>
      <TextField {...typed("name")} characters={LIMITS.nameMax} required />
      <UrlField {...typed("url")} required hint="Each URL can only be listed once." />
      <TextField
        {...typed("tagline")}
        characters={LIMITS.taglineMax}
        required
        hint={`One sentence, up to ${LIMITS.taglineMax} characters.`}
      />
      <TextArea
        {...typed("description")}
        hint={`Up to ${
          formatCount(LIMITS.descriptionMax)
        } characters. Markdown works: lists, **bold**, *italics*, \`code\` and links.`}
      />
      <div class="field-pair">
        <SelectField
          {...typed("category")}
          none="Choose one"
          options={categories.map(({ slug, name }) => ({ value: slug, label: name }))}
        />
        <SelectField
          {...typed("pricing")}
          none="Not stated"
          options={pricingModels.map(({ slug, name }) => ({ value: slug, label: name }))}
        />
      </div>
      <TagField
        {...typed("tags")}
        hint={`Up to ${LIMITS.tagsMax} tags, separated by commas: lowercase letters, digits and dashes.`}
      />
      <FormRest
        values={values}
        problems={problems}
        names={FOLDED}
        shown={isStored}
        summary="More details: tools, logo, repository, contact"
      >
        <ToolsField
          {...common("builtWith")}
          values={textsOf(values, "builtWith")}
          hint={`Up to ${LIMITS.builtWithMax}.`}
        />
        <ChoiceField
          {...common("accent")}
          type="radio"
          values={[parseAccent(textOf(values, "accent") ?? "")?.hex ?? ""]}
          options={[
            { value: "", label: "None" },
            ...accents.map(({ name, hex }) => ({
              value: hex,
              label: (
                <>
                  <span class={`dot ${accentClass(name)}`} aria-hidden="true" /> {name}
                </>
              ),
            })),
          ]}
        />
        <div class="field-pair">
          <UrlField {...typed("logoUrl")} />
          <UrlField {...typed("repoUrl")} />
        </div>
        <div class="field-pair">
          <TextField
            {...typed("submittedBy")}
            autocomplete="name"
            characters={LIMITS.agentNameMax}
            hint="Shown on the listing."
          />
          <TextField
            {...typed("contactEmail")}
            type="email"
            autocomplete="email"
            maxLength={LIMITS.contactEmailMax}
            hint={isStored
              ? "Private. Leave empty to keep the current address."
              : "Private. Never published or returned."}
          />
        </div>
        {isStored && (
          <ChoiceField
            {...common(FORGET_EMAIL)}
            type="checkbox"
            values={[textOf(values, FORGET_EMAIL) ?? ""]}
            options={[{ value: "1", label: "Remove it" }]}
          />
        )}
      </FormRest>
    </>
  );
}
