import type { CompleteResult } from "@modelcontextprotocol/server";
import { categorySlug } from "../catalog/categories.ts";
import { toolSlug } from "../catalog/tools.ts";
import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import { LIMITS } from "../limits.ts";
import { listingKeys } from "../listings/keys.ts";
import { skillKeys } from "../skills/keys.ts";
import type { Deps } from "./deps.ts";
import { type Completes, promptCompletion } from "./prompts.ts";
import { templateCompletion } from "./resources.ts";

/** How many values a completion offers. */
const OFFERED = 20;

/**
 * How many search matches are considered: those whose slug starts with the typed text come first.
 */
const CONSIDERED = 100;

/** What is completed: an argument of a prompt, or of a resource template. */
type CompletionRef =
  | { type: "ref/prompt"; name: string }
  | { type: "ref/resource"; uri: string };

/**
 * Completes slugs of projects and skills, categories and tools. Slugs come from storage, in its
 * order, and from the directory's search, so the cost doesn't grow with the directory.
 */
export async function complete(
  deps: Deps,
  ref: CompletionRef,
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
      return startingWith(categorySlug.options, typed);
    case "tool":
      return startingWith(toolSlug.options, typed);
    case "project":
      return slugs(
        await stored(deps, { prefix: listingKeys.all, typed, among: deps.catalogue }),
        await deps.catalogue.page({ q: words(typed), sort: "best", limit: CONSIDERED }),
        typed,
      );
    case "skill":
      return slugs(
        await stored(deps, { prefix: skillKeys.all, typed, among: deps.skills }),
        await deps.skills.page({ q: words(typed), sort: "top", limit: CONSIDERED, offset: 0 }),
        typed,
      );
  }
}

function startingWith(options: readonly string[], typed: string) {
  const values = options.filter((option) => option.startsWith(typed.toLowerCase()));
  return { values, total: values.length };
}

/**
 * The typed part of a slug as search words; undefined (which finds everything) if nothing was
 * typed.
 */
function words(typed: string): string | undefined {
  return typed.replaceAll("-", " ").trim() || undefined;
}

/**
 * The first public slugs in storage that start with the typed text; none if nothing was typed, or
 * if storage doesn't answer within a second.
 */
async function stored(
  { store }: Deps,
  { prefix, typed, among }: {
    prefix: Deno.KvKey;
    typed: string;
    among: { has(slug: string): boolean };
  },
): Promise<string[]> {
  const start = typed.toLowerCase();
  if (!/^[a-z0-9-]+$/.test(start)) return [];
  const range = { start: [...prefix, start], end: [...prefix, `${start}~`] };
  // One more than offered, to tell if there are more.
  const read = () =>
    Array.fromAsync(store.list(range, { limit: OFFERED + 1 }), ({ key }) => key.at(-1) as string);
  const found = await attempt(read, DISPENSABLE_MS).catch(() => []);
  return found.filter((slug) => among.has(slug));
}

function slugs(
  stored: readonly string[],
  page: { items: { slug: string }[]; total: number },
  typed: string,
) {
  const found = page.items.map(({ slug }) => slug);
  const starts = (slug: string) => slug.startsWith(typed.toLowerCase());
  const ranked = [...new Set([...found.filter(starts), ...stored, ...found])];
  const values = ranked.slice(0, OFFERED);
  return { values, total: Math.max(page.total, ranked.length) };
}
