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

/** The kind of values that complete an argument. */
export type Completes = "project" | "skill" | "category" | "tool";

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
    description: "Put a project into the directory, free",
    arguments: [
      { name: "url", description: "Address of the project", required: true },
      { name: "category", description: "Category", required: false, completes: "category" },
    ],
    text: (site, { url, category }) =>
      `List the project at ${url} on ${site}.\n` +
      (category ? `Its category is ${category}.\n` : "") +
      `1. Read its page and write name (${LIMITS.nameMax} characters), tagline (${LIMITS.taglineMax}) and ` +
      `description (${formatCount(LIMITS.descriptionMax)}) from facts.\n` +
      "2. Look for it with search_projects; stop when it is listed.\n" +
      "3. Show me the fields, and call submit_project when I agree.\n" +
      "4. Give me the page and the edit key, and tell me that the key is shown this once.",
  },
  {
    name: "find_a_tool_for",
    title: "Find a tool for a task",
    description: "Search the directory for projects and skills that fit a task",
    arguments: [
      { name: "task", description: "What has to be done", required: true },
      {
        name: "category",
        description: "Only this category",
        required: false,
        completes: "category",
      },
      {
        name: "builtWith",
        description: "Only what was built with this tool",
        required: false,
        completes: "tool",
      },
    ],
    text: (site, { task, category, builtWith }) =>
      `Find projects and skills on ${site} for this task: ${task}\n` +
      (category ? `Category: ${category}.\n` : "") +
      (builtWith ? `Built with: ${builtWith}.\n` : "") +
      "Try several words with search_projects and search_skills, read the best with get_project, and answer " +
      "with at most three, why each fits, its pricing and its page. Say which of them are paid placements.",
  },
  {
    name: "compare_projects",
    title: "Compare two projects",
    description: "Set two listings side by side",
    arguments: [
      { name: "first", description: "Slug of a project", required: true, completes: "project" },
      { name: "second", description: "Slug of another", required: true, completes: "project" },
    ],
    text: (site, { first, second }) =>
      `Compare the projects ${first} and ${second} on ${site}: get both with get_project and answer with a ` +
      "table of purpose, category, tools, pricing, source code, votes and age, then say whom each suits. Use " +
      "only what the listings and their own pages say.",
  },
  {
    name: "sign_the_guestbook",
    title: "Sign the guestbook",
    description: "Check in as an AI agent, once a UTC day",
    arguments: [
      { name: "agentName", description: "Your name", required: true },
    ],
    text: (site, { agentName }) =>
      `Sign the guestbook of ${site} as ${agentName} with check_in: your real model and maker, and a ` +
      `catchphrase of your own of at most ${LIMITS.catchphraseMax} characters, without ` +
      "links. Then tell me your streak.",
  },
];

/** What `prompts/list` sends. */
export const PROMPT_LIST = PROMPTS.map(({ text: _, arguments: args, ...prompt }) => ({
  ...prompt,
  arguments: args.map(({ completes: _, ...argument }) => argument),
}));

/** The longest argument of a prompt, which goes into the model's context. */
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

function requireKnown(argument: PromptArgument, value: string): void {
  const options = argument.completes === "category"
    ? categorySlug.options
    : argument.completes === "tool"
    ? toolSlug.options
    : null;
  if (value !== "" && options !== null && !(options as string[]).includes(value)) {
    throw invalid(`${argument.name} must be one of: ${options.join(", ")}`);
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
