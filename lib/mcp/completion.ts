import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import { LIMITS } from "../limits.ts";
import type { Deps } from "./deps.ts";
import { type Completes, OPTIONS, promptCompletion } from "./prompts.ts";
import { templateCompletion } from "./resources.ts";

/** How many values a completion offers. */
const OFFERED = 20;

/**
 * How many search matches are considered: those whose slug starts with the typed text come first.
 */
const CONSIDERED = 100;

/** Completes slugs of projects and skills, categories and tools. */
export async function complete(
  deps: Deps,
  ref: CompleteRequest["params"]["ref"],
  argument: { name: string; value: string },
): Promise<CompleteResult> {
  const completes = ref.type === "ref/prompt"
    ? promptCompletion(ref.name, argument.name)
    : templateCompletion(ref.uri, argument.name);
  if (completes === undefined) return { completion: { values: [] } };
  const { values, total } = await offer(deps, completes, argument.value.slice(0, LIMITS.queryMax));
  return { completion: { values, total, hasMore: total > values.length } };
}

async function offer(
  deps: Deps,
  completes: Completes,
  typed: string,
): Promise<{ values: string[]; total: number }> {
  switch (completes) {
    case "category":
    case "tool": {
      const values = OPTIONS[completes].filter((option) => option.startsWith(typed.toLowerCase()));
      return { values, total: values.length };
    }
    case "project":
      return slugs(
        deps.catalogue.rows(),
        await deps.catalogue.page({ q: words(typed), sort: "best", limit: CONSIDERED }),
        typed,
      );
    case "skill":
      return slugs(
        deps.skills.rows(),
        await deps.skills.page({ q: words(typed), sort: "top", limit: CONSIDERED, offset: 0 }),
        typed,
      );
  }
}

/**
 * The typed part of a slug as search words; undefined (which finds everything) if nothing was
 * typed.
 */
function words(typed: string): string | undefined {
  return typed.replaceAll("-", " ").trim() || undefined;
}

/** The slugs that start with the typed text: those that the search found, then the others. */
function slugs(
  all: readonly { slug: string }[],
  page: { items: { slug: string }[]; total: number },
  typed: string,
) {
  const found = page.items.map(({ slug }) => slug);
  const starts = (slug: string) => slug.startsWith(typed.toLowerCase());
  const others = typed === "" ? [] : all.map(({ slug }) => slug).filter(starts).sort();
  const ranked = [...new Set([...found.filter(starts), ...others, ...found])];
  const values = ranked.slice(0, OFFERED);
  return { values, total: Math.max(page.total, ranked.length) };
}
