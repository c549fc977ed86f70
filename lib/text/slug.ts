import anyAscii from "any-ascii";
import { LIMITS } from "../limits.ts";
import { withoutLookAlikes } from "./look_alikes.ts";

/**
 * The slug for a name: 1 to 60 of `[a-z0-9-]`. Letters and digits of any script become Latin: by
 * look in a word that mixes scripts, otherwise by sound. A name without letters or digits becomes
 * `fallback`; a reserved word gets `-fallback` appended.
 */
export function slugBase(
  name: string,
  { reserved, fallback }: { reserved: ReadonlySet<string>; fallback: string },
): string {
  const slug = cut(
    withoutLookAlikes(name.slice(0, 1_000)).normalize("NFKC")
      .replace(/[\p{L}\p{M}\p{Nd}]+/gu, anyAscii)
      .replace(/['’]/g, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-"),
    LIMITS.slugMax,
  );
  if (slug === "") return fallback;
  return reserved.has(slug) ? withSuffix(slug, fallback) : slug;
}

/** A slug for a base that is taken: `base-2`, `base-3` and so on, within 60 characters. */
export function numberedSlug(base: string, n: number): string {
  return withSuffix(base, String(n));
}

/** A tag for people: `code-review` becomes `Code review`. */
export function labelOf(tag: string): string {
  const words = tag.replace(/-+/g, " ").trim();
  return words === "" ? tag : words[0]!.toUpperCase() + words.slice(1);
}

function withSuffix(base: string, suffix: string): string {
  return `${cut(base, LIMITS.slugMax - suffix.length - 1)}-${suffix}`;
}

/** Up to `length` characters, with no dash at either end. */
function cut(slug: string, length: number): string {
  return slug.replace(/^-/, "").slice(0, length).replace(/-$/, "");
}
