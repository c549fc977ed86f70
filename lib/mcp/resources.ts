import { type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { llmsText } from "../documents/llms.ts";
import { rulesMarkdown } from "../documents/rules.ts";
import { DomainError } from "../errors.ts";
import { helpMarkdown } from "../help/service.ts";
import { entityText } from "../http/respond.ts";
import { getListing } from "../listings/service.ts";
import { FACTS_PER_KIND, type SkillFacts } from "../skills/facts.ts";
import { skillCard } from "../skills/markdown.ts";
import type { FullSkill } from "../skills/schema.ts";
import { getSkill } from "../skills/service.ts";
import { toldBack } from "../text/clean.ts";
import { fencedBlock } from "../text/escape.ts";
import { paths } from "../urls.ts";
import { clip, CONTENT_TOKENS, entriesThatFit, jsonTokens } from "./budget.ts";
import type { Deps } from "./deps.ts";
import { clippedRecord, recordText } from "./listing_text.ts";
import type { Completes } from "./prompts.ts";

const MARKDOWN = "text/markdown";

/** The address of a resource, or of a template's entry: its name, and the entry's slug. */
const ADDRESS = /^directory:\/\/([a-z]+)(?:\/([a-z0-9-]{1,60}))?$/;

interface Resource {
  name: string;
  title: string;
  description: string;
  read(deps: Deps): string | Promise<string>;
}

interface Template {
  /** Also the kind of values that complete the slug. */
  name: "project" | "skill";
  title: string;
  description: string;
  read(deps: Deps, slug: string): Promise<string>;
}

const RESOURCES: Resource[] = [
  {
    name: "llms",
    title: "llms.txt",
    description: "What the directory is, how to use it, and its best, newest and promoted projects",
    read: (deps) => linesThatFit(entityText(llmsText(deps)), deps.urls.to(paths.llms)),
  },
  {
    name: "help",
    title: "Help",
    description: "Questions and answers about the service, including every error code",
    read: helpMarkdown,
  },
  {
    name: "rules",
    title: "Rules",
    description: "Rules and limits for listings, votes, poll, guestbook and auctions",
    read: rulesMarkdown,
  },
];

const TEMPLATES: Template[] = [
  {
    name: "project",
    title: "Project",
    description: "A project as Markdown",
    read: async (deps, slug) => recordText(clippedRecord(await getListing(deps, slug))),
  },
  {
    name: "skill",
    title: "Skill",
    description: "A skill as Markdown, with its content",
    read: async (deps, slug) => clippedSkillCard(await getSkill(deps, slug)),
  },
];

/** What `resources/list` sends. */
export const RESOURCE_LIST = RESOURCES.map(({ read: _, ...resource }) => ({
  uri: `directory://${resource.name}`,
  ...resource,
  mimeType: MARKDOWN,
}));

/** What `resources/templates/list` sends. */
export const TEMPLATE_LIST = TEMPLATES.map(({ read: _, ...template }) => ({
  uriTemplate: `directory://${template.name}/{slug}`,
  ...template,
  mimeType: MARKDOWN,
}));

/** Reads a resource as Markdown. Throws a protocol error if nothing public has the address. */
export async function readResource(deps: Deps, uri: string): Promise<ReadResourceResult> {
  const text = await textOf(deps, uri);
  if (text === null) throw new ResourceNotFoundError(toldBack(uri, 200));
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

/**
 * The kind of values that complete an argument of a template, or undefined. Throws a protocol error
 * for an unknown template.
 */
export function templateCompletion(uri: string, argument: string): Completes | undefined {
  const template = TEMPLATE_LIST.find(({ uriTemplate }) => uriTemplate === uri);
  if (template === undefined) throw new ResourceNotFoundError(toldBack(uri, 200));
  return argument === "slug" ? template.name : undefined;
}

async function textOf(deps: Deps, uri: string): Promise<string | null> {
  const [, name, slug] = ADDRESS.exec(uri) ?? [];
  if (slug === undefined) return await RESOURCES.find((r) => r.name === name)?.read(deps) ?? null;
  try {
    return await TEMPLATES.find((t) => t.name === name)?.read(deps, slug) ?? null;
  } catch (error) {
    if (error instanceof DomainError && error.status === 404) return null;
    throw error;
  }
}

/** The lines of a document that fit in a result, and the address of the rest. */
function linesThatFit(text: string, address: string): string {
  if (jsonTokens(text) <= CONTENT_TOKENS) return text;
  const lines = entriesThatFit(text.split("\n"), (line) => jsonTokens(`${line}\n`));
  return [...lines, "", `Rest of the document: <${address}>`, ""].join("\n");
}

/**
 * A skill's card, cut if it doesn't fit in a result: first the quotes in its facts, then its
 * content.
 */
function clippedSkillCard(skill: FullSkill): string {
  const whole = skillCard(skill);
  if (jsonTokens(whole) <= CONTENT_TOKENS) return whole;
  const facts = factsThatFit(skill);
  const left = CONTENT_TOKENS - jsonTokens(skillCard({ ...skill, facts, content: "" }));
  const { text: content } = clip(skill.content, left, (start) => jsonTokens(fencedBlock(start)));
  return `${skillCard({ ...skill, facts, content })}\nRest of the content: <${skill.rawUrl}>\n`;
}

/** A skill's facts, with few enough quotes to leave half of a result for its content. */
function factsThatFit(skill: FullSkill): SkillFacts {
  const facts = structuredClone(skill.facts);
  const lists = Object.values(facts).filter((fact) => typeof fact === "object");
  for (let most = FACTS_PER_KIND;; most >>= 1) {
    for (const { items } of lists) items.length = Math.min(items.length, most);
    const cost = jsonTokens(skillCard({ ...skill, facts, content: "" }));
    if (most === 0 || cost <= CONTENT_TOKENS / 2) return facts;
  }
}
