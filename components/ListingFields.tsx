import { accents, parseAccent } from "../lib/catalog/accents.ts";
import { categories } from "../lib/catalog/categories.ts";
import { pricingModels } from "../lib/catalog/pricing.ts";
import { type FormState, textOf, textsOf } from "../lib/http/forms.ts";
import { LIMITS } from "../lib/limits.ts";
import { FORGET } from "../lib/listings/form.ts";
import type { ListingInput } from "../lib/listings/schema.ts";
import type { Channel } from "../lib/notices/outbox.ts";
import { formatCount } from "../lib/text/count.ts";
import { accentClass } from "../lib/themes/stylesheet.ts";
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
const FOLDED = {
  builtWith: "Built with",
  accent: "Accent color",
  logoUrl: "Logo",
  repoUrl: "Repository",
  submittedBy: "Your name",
  linkCheck: "Link check",
  contactEmail: "Contact email",
  notifyUrl: "Webhook",
};

/** The labels of the listing's form fields, in order. */
export const LISTING_LABELS = {
  editKey: "Edit key",
  name: "Name",
  url: "URL",
  tagline: "Tagline",
  description: "Description",
  category: "Category",
  pricing: "Price",
  tags: "Tags",
  ...FOLDED,
} satisfies Record<keyof typeof ListingInput.shape | "editKey", string>;

/** What a project's owner is notified about. */
const HEARS = "if this project is hidden, outbid or promoted, or gets a new edit key";

/**
 * A listing's fields, for the submit and edit forms. The private addresses of a stored listing are
 * never shown. Notices are promised only for the channels the site has.
 */
export function ListingFields(
  { values, problems, channels, isStored = false }: FormState & {
    channels: Readonly<Record<Channel, boolean>>;
    isStored?: boolean;
  },
) {
  const kept = isStored ? " Leave empty to keep the current address." : "";
  const { common, typed } = fieldProps(LISTING_LABELS, { values, problems });
  const forget = (field: keyof typeof FORGET, what: string) =>
    isStored && (
      <p class="hint">
        <label class="choice">
          <input
            type="checkbox"
            name={FORGET[field]}
            value="1"
            checked={textOf(values, FORGET[field]) === "1"}
          />
          <span>Remove the current {what}</span>
        </label>
      </p>
    );
  return (
    <>
      <div class="field-pair">
        <TextField {...typed("name")} characters={LIMITS.nameMax} required />
        <UrlField {...typed("url")} required hint="Each URL can only be listed once." />
      </div>
      <TextField
        {...typed("tagline")}
        characters={LIMITS.taglineMax}
        required
        hint={`One sentence, up to ${LIMITS.taglineMax} characters.`}
      />
      <TextArea
        {...typed("description")}
        rows={4}
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
      <TextField
        {...typed("tags")}
        verbatim="lowercase"
        hint={`Up to ${LIMITS.tagsMax} tags, separated by commas. Use lowercase letters, digits and dashes.`}
      />
      <FormRest
        values={values}
        problems={problems}
        names={Object.keys(FOLDED)}
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
          <UrlField
            {...typed("logoUrl")}
            hint="PNG, JPEG, WebP or GIF, up to 1 MiB. We show a small copy."
          />
          <UrlField {...typed("repoUrl")} />
        </div>
        <SelectField
          {...typed("linkCheck")}
          none="Check the link every day"
          options={[{ value: "off", label: "Don't check the link" }]}
        />
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
            hint={`Private. Never shown, not even in the API.${
              channels.email ? ` We email you ${HEARS}.` : ""
            }${kept}`}
            after={forget("contactEmail", "address")}
          />
        </div>
        {channels.webhook && (
          <UrlField
            {...typed("notifyUrl")}
            hint={`Private. We send a signed webhook ${HEARS}.${kept}`}
            after={forget("notifyUrl", "webhook")}
          />
        )}
      </FormRest>
    </>
  );
}
