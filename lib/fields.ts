import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { lengthOf, plural } from "./text/count.ts";

/**
 * An optional field. Absent, null, and text that is empty after cleaning all mean not given. (Empty
 * text is no URL and no enum value.)
 */
export function optional<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => (value ? value : null) as z.output<S> | null);
}

/** Text that is required in some cases, for the `then` or `else` of a schema's metadata. */
export function requiredText(name: string) {
  const properties = { [name]: { type: "string", minLength: 1 } };
  return { required: [name], properties, additionalProperties: true };
}

/**
 * A list without repeats; absent and null mean an empty list. Zod's own item limit would hide
 * problems in the items. So the limit is a refinement, reported along with them, and zod's limit is
 * twice as high: beyond that, item problems would crowd out all others.
 */
export function list<S extends z.ZodType>(item: S, max: number) {
  const message = `Must have at most ${plural(max, "item")}`;
  return z.array(item).max(2 * max, message)
    .refine(({ length }) => length <= max || length > 2 * max, {
      message,
      when: ({ value }) => Array.isArray(value),
    })
    .meta({ maxItems: max }).nullish()
    .transform((values) => [...new Set(values)] as z.output<S>[]);
}

/** The body of an edit: any of these fields, at least one. */
export function patchOf<F extends Record<string, z.ZodType>>(id: string, fields: F) {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name, z.optional(schema)]),
    ) as { [K in keyof F]: z.ZodOptional<F[K]> },
  ).refine((patch) => Object.keys(patch).length > 0, {
    message: "Must name at least one field to change",
    // Unknown fields get only the unknown-field error.
    when: ({ issues }) => issues.length === 0,
  }).meta({
    id,
    minProperties: 1,
    description: "Fields to change. null clears an optional field",
  });
}

/**
 * The words of a text search, at most `max` characters. Blank means none.
 */
export function searchText(max: number) {
  return z.string().trim()
    .refine((q) => lengthOf(q) <= max, `Must have at most ${plural(max, "character")}`)
    .meta({ maxLength: max })
    .transform((q) => q || undefined).optional()
    .meta({ override: { type: "string" } });
}

/** An entry's slug from a client. Slugs are never longer, so a longer one finds nothing. */
export const Slug = z.string().min(1)
  .overwrite((slug) => slug.slice(0, LIMITS.slugMax + 1))
  .meta({ maxLength: LIMITS.slugMax });

/** The mark for anything sent with a signed request. */
export const SignedBy = z.string().nullable()
  .describe("Host that signed the request (Web Bot Auth), or null");

/** A UTC calendar day. */
export const Day = z.iso.date("Must be a UTC day such as 2026-03-04");

/** How the words of a search find projects or skills. */
const SEARCH_RULE =
  "Plain words to search for. Other forms of a word, synonyms and small typos match too, and not every word needs to match. " +
  "Best matches come first unless you set sort";

/** The words of a search among projects or skills. */
export const SearchText = searchText(LIMITS.queryMax).describe(SEARCH_RULE);

/** The same on a page, where people paste longer texts and addresses: their beginning is used. */
export const PastedSearchText = z.preprocess(
  (q) => typeof q === "string" ? firstWords(q) : q,
  SearchText,
);

/** As many whole words as a search accepts. */
export function firstWords(text: string): string {
  const characters = [...text.trim()];
  if (characters.length <= LIMITS.queryMax) return text;
  const fitting = characters.slice(0, LIMITS.queryMax).join("");
  return /\s/.test(characters[LIMITS.queryMax]!) ? fitting : fitting.replace(/\s\S*$/, "");
}

/** A tag on listings and skills. */
export const Tag = z.string()
  .regex(
    /^[a-z0-9-]{1,24}$/,
    "Must be 1 to 24 lowercase letters, digits and dashes",
  )
  .meta({ id: "Tag", examples: ["markdown"] });

/** Turns free text into a tag: `Dev Tools` becomes `dev-tools`. */
export function asTag(written: string): string {
  return written.trim().toLowerCase().replace(/[\s_]+/g, "-");
}

/** Text that `asTag` turns into a tag, as OpenAPI and MCP describe it. */
const WRITTEN_TAG = `^[A-Za-z0-9_-][A-Za-z0-9 _-]{0,${LIMITS.tagMax - 1}}$`;

/** A tag of a skill, in any spelling. (For listings, the contract requires the exact form.) */
export const WrittenTag = z.string().transform(asTag).pipe(Tag)
  .meta({ maxLength: LIMITS.tagMax, pattern: WRITTEN_TAG });
