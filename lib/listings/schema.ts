import { z } from "zod";
import { accents, parseAccent } from "../catalog/accents.ts";
import { categorySlug } from "../catalog/categories.ts";
import { pricingSlug } from "../catalog/pricing.ts";
import { toolSlug } from "../catalog/tools.ts";
import { OwnEditKey } from "../entries/edit_key.ts";
import type { StoredEntry } from "../entries/entries.ts";
import { PublicVerified } from "../entries/verified.ts";
import { list, optional, patchOf, SignedBy, Tag } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { userText } from "../text/clean.ts";
import { webUrl } from "../text/web_url.ts";
import { PublicHealth } from "./health.ts";

const ACCENT_RULE = `Must be one of these, by name or hex value: ${
  accents.map(({ name, hex }) => `${name} ${hex}`).join(", ")
}`;

/**
 * An accent color: a hex value in any case, or a name in the catalog. Becomes the catalog's hex.
 */
const Accent = z.string().max(40)
  .meta({ enum: accents.flatMap(({ name, hex }) => [hex, name]) })
  .transform((value, context) => {
    const hex = parseAccent(value)?.hex;
    if (hex !== undefined) return hex;
    context.addIssue({ code: "custom", message: ACCENT_RULE });
    return z.NEVER;
  });

/** An email address in any script. Zod's own rule refuses some, such as all that end in .рф. */
const EMAIL = /^[^\s\p{C}@"(),:;<>[\]\\]+@(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+$/u;

const ContactEmail = z.string().trim().max(LIMITS.contactEmailMax)
  .pipe(z.email({ pattern: EMAIL, error: "Must be an email address" }))
  .meta({ format: "email", override: { type: "string", format: "email" } });

const url = webUrl();

const submitFields = {
  name: userText({ max: LIMITS.nameMax, min: 1 }).describe("The project's name"),
  url: url.describe(
    "Full http(s) URL. The limit applies to the encoded URL. Each URL can only be listed once",
  ),
  tagline: userText({ max: LIMITS.taglineMax, min: 1 }).describe("The project in one sentence"),
  description: optional(userText({ max: LIMITS.descriptionMax, lines: true }))
    .describe("What it does, and who it's for. Simple Markdown"),
  category: optional(categorySlug).describe("The category that fits best"),
  tags: list(Tag, LIMITS.tagsMax).describe(`Up to ${LIMITS.tagsMax} tags`),
  builtWith: list(toolSlug, LIMITS.builtWithMax).describe("Tools used to build it"),
  pricing: optional(pricingSlug).describe("Pricing model"),
  accent: optional(Accent).describe("Accent color"),
  logoUrl: optional(url).describe("Full http(s) URL of a logo"),
  repoUrl: optional(url).describe("Full http(s) URL of the source code"),
  linkCheck: optional(z.enum(["off"])).describe("off: never check the link"),
  contactEmail: optional(ContactEmail).describe("Private: never published or returned"),
  notifyUrl: optional(url).describe("Private http(s) URL for signed webhooks about this project"),
  submittedBy: optional(userText({ max: LIMITS.agentNameMax }))
    .describe(
      "Who is submitting it. Default: X-Agent-Name",
    ),
};

/** The body of a submission. Unknown and server-assigned fields change nothing. */
export const ListingInput = z.object({ ...submitFields, editKey: OwnEditKey }).meta({
  id: "ListingInput",
  description: "A project to list. name, url and tagline are required",
});
export type ListingInput = z.output<typeof ListingInput>;

/** The body of an edit: any subset of the submit fields; null clears an optional field. */
export const ListingPatch = patchOf("ListingPatch", submitFields);
export type ListingPatch = z.output<typeof ListingPatch>;

/** Fields that older records lack: these two came on November 28, 2026. */
type Added = "notifyUrl" | "linkCheck";

/** A listing in KV. The description has its own key; votes and clicks are counters. */
export interface StoredListing
  extends
    StoredEntry,
    Omit<ListingInput, "description" | "editKey" | Added>,
    Partial<Pick<ListingInput, Added>> {
  /** True if it is a tombstone left by the operator, such as after a deletion request. */
  isForgotten?: true;
  /**
   * True if it was hidden before it was ever public. Listings refused before November 23, 2026 lack
   * this: if shown after all, they keep their submission date.
   */
  wasRefused?: boolean;
  /**
   * Another listing, which has this URL. Both were listed when fewer rules compared addresses. The
   * later one is still listed, but doesn't have the URL.
   */
  sameUrlAs?: string;
}

/** A gem in KV: picked by the scout or an operator. */
export interface StoredGem {
  note: string;
  /** ms since the epoch. */
  since: number;
}

const isoDate = z.iso.datetime();

/** A live promotion, as a listing shows it. */
const PublicPromotion = z.object({
  tierId: z.string(),
  name: z.string(),
  endsAt: isoDate,
}).meta({ id: "ListingPromotion", description: "The highest active promotion" });

/** Why the scout picked a listing. */
const PublicGem = z.object({ note: z.string(), since: isoDate })
  .meta({ id: "ListingGem", description: "A hidden gem, picked by the site; not for sale" });

/** What this process's listeners get with a listing's change. */
export interface ListingPayload {
  listing: StoredListing;
  description: string | null;
}

/** A listing as it leaves the service. */
export const PublicListing = z.object({
  slug: z.string(),
  name: z.string(),
  url: z.url(),
  tagline: z.string(),
  description: z.string().nullable(),
  category: categorySlug.nullable(),
  tags: z.array(Tag),
  builtWith: z.array(toolSlug),
  pricing: pricingSlug.nullable(),
  accent: z.string().nullable(),
  accentName: z.string().nullable(),
  logoUrl: z.url().nullable(),
  repoUrl: z.url().nullable(),
  submittedBy: z.string().nullable(),
  linkCheck: z.literal("off").nullable(),
  signedBy: SignedBy,
  verified: PublicVerified.nullable(),
  votes: z.int().min(0),
  clicks: z.int().min(0),
  promoted: z.boolean(),
  sponsored: z.boolean(),
  placement: z.literal("front-row").nullable(),
  promotion: PublicPromotion.nullable(),
  gem: PublicGem.nullable(),
  health: PublicHealth,
  createdAt: isoDate,
  updatedAt: isoDate,
  page: z.url(),
  goUrl: z.url(),
  apiUrl: z.url(),
  badgeUrl: z.url(),
}).meta({ id: "Listing", description: "A listed project" });
export type PublicListing = z.output<typeof PublicListing>;

/** The query of one listing. */
export const FormatQuery = z.object({
  format: z.enum(["json", "md"]).default("json").describe("md: Markdown"),
});
