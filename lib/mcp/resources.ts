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

interface Resource {
  uri: string;
  name: string;
  title: string;
  description: string;
  read(deps: Deps): string | Promise<string>;
}

interface Template {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  /** Matches an address of the template; its one group is the slug. */
  pattern: RegExp;
  completes: Completes;
  read(deps: Deps, slug: string): Promise<string>;
}

const RESOURCES: Resource[] = [
  {
    uri: "directory://llms",
    name: "llms",
    title: "llms.txt",
    description: "What the directory is, how to use it, and its best, newest and promoted projects",
    read: (deps) => linesThatFit(entityText(llmsText(deps)), deps.urls.to(paths.llms)),
  },
  {
    uri: "directory://help",
    name: "help",
    title: "Help",
    description: "Questions and answers about the service, including every error code",
    read: helpMarkdown,
  },
  {
    uri: "directory://rules",
    name: "rules",
    title: "Rules",
    description: "Rules and limits for listings, votes, poll, guestbook and auctions",
    read: rulesMarkdown,
  },
];

const TEMPLATES: Template[] = [
  {
    uriTemplate: "directory://project/{slug}",
    name: "project",
    title: "Project",
    description: "A project as Markdown",
    pattern: /^directory:\/\/project\/([a-z0-9-]{1,60})$/,
    completes: "project",
    read: async (deps, slug) => recordText(clippedRecord(await getListing(deps, slug))),
  },
  {
    uriTemplate: "directory://skill/{slug}",
    name: "skill",
    title: "Skill",
    description: "A skill as Markdown, with its content",
    pattern: /^directory:\/\/skill\/([a-z0-9-]{1,60})$/,
    completes: "skill",
    read: async (deps, slug) => clippedSkillCard(await getSkill(deps, slug)),
  },
];

/** What `resources/list` sends. */
export const RESOURCE_LIST = RESOURCES.map(({ read: _, ...resource }) => ({
  ...resource,
  mimeType: MARKDOWN,
}));

/** What `resources/templates/list` sends. */
export const TEMPLATE_LIST = TEMPLATES.map((
  { read: _read, pattern: _pattern, completes: _completes, ...template },
) => ({ ...template, mimeType: MARKDOWN }));

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
  const template = TEMPLATES.find(({ uriTemplate }) => uriTemplate === uri);
  if (template === undefined) throw new ResourceNotFoundError(toldBack(uri, 200));
  return argument === "slug" ? template.completes : undefined;
}

async function textOf(deps: Deps, uri: string): Promise<string | null> {
  const resource = RESOURCES.find((r) => r.uri === uri);
  if (resource !== undefined) return await resource.read(deps);
  for (const { pattern, read } of TEMPLATES) {
    const slug = pattern.exec(uri)?.[1];
    if (slug === undefined) continue;
    try {
      return await read(deps, slug);
    } catch (error) {
      if (error instanceof DomainError && error.status === 404) return null;
      throw error;
    }
  }
  return null;
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
  const { invisible, commands, urls, secrets, permissions } = skill.facts;
  for (let most = FACTS_PER_KIND;; most >>= 1) {
    const first = <T>({ total, items }: { total: number; items: T[] }) => ({
      total,
      items: items.slice(0, most),
    });
    const facts = {
      ...skill.facts,
      invisible: first(invisible),
      commands: first(commands),
      urls: first(urls),
      secrets: first(secrets),
      permissions: first(permissions),
    };
    const cost = jsonTokens(skillCard({ ...skill, facts, content: "" }));
    if (most === 0 || cost <= CONTENT_TOKENS / 2) return facts;
  }
}
