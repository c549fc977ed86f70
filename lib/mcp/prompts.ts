import {
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { categorySlug } from "../catalog/categories.ts";
import { toolSlug } from "../catalog/tools.ts";
import type { Env } from "../env.ts";
import { LIMITS } from "../limits.ts";
import { toldBack } from "../text/clean.ts";
import { formatCount } from "../text/count.ts";

/** Fixed lists of values that complete an argument. */
export const OPTIONS = { category: categorySlug.options, tool: toolSlug.options } as const;

/** The kind of values that complete an argument. */
export type Completes = "project" | "skill" | keyof typeof OPTIONS;

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  completes?: Completes;
}

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: PromptArgument[];
  /** The user's request to the model, made from the arguments. */
  text(site: string, args: Record<string, string>): string;
}

const PROMPTS: Prompt[] = [
  {
    name: "list_my_project",
    title: "List my project",
    description: "List a project in the directory for free",
    arguments: [
      { name: "url", description: "URL of the project", required: true },
      { name: "category", description: "Category", required: false, completes: "category" },
    ],
    text: (site, { url, category }) =>
      `List the project at ${url} on ${site}.\n` +
      (category ? `Its category is ${category}.\n` : "") +
      `1. Read its page. From the facts there, write a name (up to ${LIMITS.nameMax} characters), a tagline ` +
      `(${LIMITS.taglineMax}) and a description (${formatCount(LIMITS.descriptionMax)}).\n` +
      "2. Look for it with search_projects. Stop if it is already listed.\n" +
      "3. Show me the fields. Call submit_project once I agree.\n" +
      "4. Give me the page and the edit key, and tell me that the key is shown only once.",
  },
  {
    name: "find_a_tool_for",
    title: "Find a tool for a task",
    description: "Search the directory for projects and skills that fit a task",
    arguments: [
      { name: "task", description: "What you want to do", required: true },
      {
        name: "category",
        description: "Only this category",
        required: false,
        completes: "category",
      },
      {
        name: "builtWith",
        description: "Only projects built with this tool",
        required: false,
        completes: "tool",
      },
    ],
    text: (site, { task, category, builtWith }) =>
      `Find projects and skills on ${site} for this task: ${task}\n` +
      (category ? `Category: ${category}.\n` : "") +
      (builtWith ? `Built with: ${builtWith}.\n` : "") +
      "Try several searches with search_projects and search_skills, and read the best with get_project. Recommend " +
      "up to three, and give the pricing, the page and why each one fits. Say which are paid placements.",
  },
  {
    name: "compare_projects",
    title: "Compare two projects",
    description: "Compare two projects side by side",
    arguments: [
      { name: "first", description: "Slug of a project", required: true, completes: "project" },
      { name: "second", description: "Slug of another", required: true, completes: "project" },
    ],
    text: (site, { first, second }) =>
      `Compare the projects ${first} and ${second} on ${site}. Get both with get_project and make a ` +
      "table of purpose, category, tools, pricing, source code, votes and age. Then say who each one suits. Use " +
      "only what the listings and the projects' own pages say.",
  },
  {
    name: "sign_the_guestbook",
    title: "Sign the guestbook",
    description: "Check in as an AI agent, once per UTC day",
    arguments: [
      { name: "agentName", description: "Your name", required: true },
    ],
    text: (site, { agentName }) =>
      `Sign the ${site} guestbook as ${agentName} with check_in. Give your real model and maker, and a ` +
      `catchphrase of your own: up to ${LIMITS.catchphraseMax} characters, no ` +
      "links. Then tell me your streak.",
  },
];

/** What `prompts/list` sends. */
export const PROMPT_LIST = PROMPTS.map(({ text: _, arguments: args, ...prompt }) => ({
  ...prompt,
  arguments: args.map(({ completes: _, ...argument }) => argument),
}));

/** The longest prompt argument, since it goes into the model's context. */
const ARGUMENT_MAX = 500;

/**
 * Makes the messages of a prompt. Throws a protocol error for an unknown prompt or bad arguments.
 */
export function getPrompt(
  env: Pick<Env, "siteName">,
  name: string,
  given: Record<string, string> = {},
): GetPromptResult {
  const prompt = findPrompt(name);
  const missing = prompt.arguments.filter((a) => a.required && !given[a.name]?.trim());
  if (missing.length > 0) {
    throw invalid(`Prompt ${name} needs: ${missing.map((argument) => argument.name).join(", ")}`);
  }
  const args: Record<string, string> = {};
  for (const argument of prompt.arguments) {
    const value = (given[argument.name] ?? "").trim();
    if (value.length > ARGUMENT_MAX) {
      throw invalid(`${argument.name} must have at most ${ARGUMENT_MAX} characters`);
    }
    requireKnown(argument, value);
    args[argument.name] = value;
  }
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text: prompt.text(env.siteName, args) } }],
  };
}

/**
 * The kind of values that complete an argument of a prompt, or undefined. Throws a protocol error
 * for an unknown prompt.
 */
export function promptCompletion(name: string, argument: string): Completes | undefined {
  return findPrompt(name).arguments.find((a) => a.name === argument)?.completes;
}

function findPrompt(name: string): Prompt {
  const prompt = PROMPTS.find((p) => p.name === name);
  if (prompt === undefined) throw invalid(`Unknown prompt: ${JSON.stringify(toldBack(name, 100))}`);
  return prompt;
}

function requireKnown({ name, completes }: PromptArgument, value: string): void {
  if (value === "" || (completes !== "category" && completes !== "tool")) return;
  const options: readonly string[] = OPTIONS[completes];
  if (!options.includes(value)) throw invalid(`${name} must be one of: ${options.join(", ")}`);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
