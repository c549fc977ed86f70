import { z } from "zod";
import { notFound, rejectProblems } from "../errors.ts";
import { firstWords } from "../fields.ts";
import { parseInput } from "../http/input.ts";
import { LIMITS } from "../limits.ts";
import type { Deps } from "../skills/deps.ts";
import { getSkill } from "../skills/service.ts";
import { paths } from "../urls.ts";
import {
  type ArdEntry,
  ownEntries,
  publisherOf,
  SKILL_TYPE,
  skillEntry,
  urnOf,
} from "./entries.ts";

const IDENTIFIER = /^urn:air:[a-zA-Z0-9.-]+(?::[a-zA-Z0-9._-]+)+$/;
/** The maximum length of a query's text, in UTF-16 units. */
const TEXT_MAX = 1_000;

const Values = z.union([
  z.string().transform((value) => [value]),
  z.array(z.string()),
]);

/** The body of `POST /search`. */
const SearchRequest = z.object({
  query: z.object({
    text: z.string().trim().min(1).max(TEXT_MAX),
    filter: z.strictObject({
      type: Values.optional(),
      publisher: Values.optional(),
      tags: Values.refine((tags) => tags.length === 1, "Only one tag is allowed").optional(),
    }).default({}),
  }),
  federation: z.enum(["auto", "referrals", "none"]).default("auto"),
  pageSize: z.int().min(1).max(LIMITS.pageSizeMax).default(10),
  pageToken: z.string().regex(/^\d{1,6}$/, "Must be a pageToken from a response").optional(),
});

/**
 * Finds skills for a need described in words. Only skills of kind skill-md are listed, and no other
 * registry is queried. Throws `invalid_input`.
 */
export async function searchEntries(deps: Deps, body: unknown) {
  const { query: { text, filter }, pageSize, pageToken = "0" } = parseInput(SearchRequest, body);
  const { type = [SKILL_TYPE], publisher = [publisherOf(deps.urls)] } = filter;
  const isOurs = type.includes(SKILL_TYPE) && publisher.includes(publisherOf(deps.urls));
  if (!isOurs) return { results: [] };
  const offset = Number(pageToken);
  const { items, nextOffset, nearest } = await deps.skills.page({
    q: firstWords(text),
    kind: "skill-md",
    tag: filter.tags?.[0],
    limit: pageSize,
    offset,
  });
  const best = nearest ? 50 : 100;
  return {
    results: items.map((skill, i) => ({
      ...skillEntry(skill, deps.urls),
      // The score only reflects the order. It says nothing about trust.
      score: Math.max(1, best - offset - i),
      // The registry that found the skill.
      source: deps.urls.to(paths.ard),
    })),
    ...(nextOffset !== null && { pageToken: String(nextOffset) }),
  };
}

/** One entry by its identifier. Throws `invalid_input` for a malformed one, and `not_found`. */
export async function getEntry(deps: Deps, identifier: string): Promise<ArdEntry> {
  if (!IDENTIFIER.test(identifier)) {
    const message = "Must be an identifier such as urn:air:example.com:skills:name";
    rejectProblems([{ field: "identifier", message }]);
  }
  const own = ownEntries(deps).find((entry) => entry.identifier === identifier);
  if (own) return own;
  const slug = identifier.slice(identifier.lastIndexOf(":") + 1);
  if (identifier !== urnOf(deps.urls, "skills", slug)) throw notFound("There is no such entry");
  const skill = await getSkill(deps, slug);
  if (skill.kind !== "skill-md") throw notFound("There is no such entry");
  return {
    ...skillEntry(skill, deps.urls),
    representativeQueries: [skill.title, skill.summary],
  };
}
