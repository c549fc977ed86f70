/** The most characters a slug may have. */
export const SLUG_MAX = 60;

/** Latin letters that NFKD does not take apart. */
const LETTERS: Record<string, string> = {
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "ø": "o",
  "đ": "d",
  "ð": "d",
  "ħ": "h",
  "ı": "i",
  "ł": "l",
  "ŋ": "n",
  "þ": "th",
  "ŧ": "t",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/**
 * The slug that a name asks for: 1 to 60 of `[a-z0-9-]`, accents dropped.
 * `fallback` stands in when no Latin letter or digit is left, and is added to a reserved word.
 */
export function slugBase(
  name: string,
  reserved: ReadonlySet<string> = new Set(),
  options: { fallback?: string } = {},
): string {
  const { fallback = "project" } = options;
  const slug = cut(
    name.slice(0, 1_000).normalize("NFKD").toLowerCase()
      .replace(LETTER, (letter) => LETTERS[letter]!)
      .replace(/['’\p{M}]/gu, "")
      .replace(/[^a-z0-9]+/g, "-"),
    SLUG_MAX,
  );
  if (slug === "") return fallback;
  return reserved.has(slug) ? withSuffix(slug, fallback) : slug;
}

/** `base-2`, `base-3`, …: a slug for a base that is taken, within 60 characters. */
export function numberedSlug(base: string, n: number): string {
  return withSuffix(base, String(n));
}

function withSuffix(base: string, suffix: string): string {
  return `${cut(base, SLUG_MAX - suffix.length - 1)}-${suffix}`;
}

/** At most `length` characters, with no dash at either end. */
function cut(slug: string, length: number): string {
  return slug.replace(/^-/, "").slice(0, length).replace(/-$/, "");
}
