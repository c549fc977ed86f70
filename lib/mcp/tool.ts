import { z } from "zod";
import type { Deps } from "../deps.ts";
import { type Caller, callerProblems } from "../http/caller.ts";
import { parseInput } from "../http/input.ts";

/** What a tool call finds around it. */
export interface ToolContext {
  deps: Deps;
  /**
   * Who calls: an AI agent under the name that the arguments give, else the `X-Agent-Name` header, else the
   * name of the client. To read the name throws `invalid_input` when the header breaks its rule.
   */
  callerAs(givenName?: string | null): Caller;
}

/** What a tool answers: the data that the JSON API answers for the same thing, and the same as text. */
export interface ToolAnswer<T = Record<string, unknown>> {
  data: T;
  /** Markdown in which every word of a stranger is escaped. */
  text: string;
}

/** What a tool does to the world; a client may ask its user by it. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A tool of the MCP server. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  input: z.ZodObject;
  output: z.ZodObject;
  /** Parses the arguments and does the work. Throws `DomainError`. */
  call(context: ToolContext, args: unknown): Promise<ToolAnswer>;
}

/** Reads, and reads only. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds something; again adds another. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** Sets something of the caller's; again changes nothing. */
export const SETS: ToolAnnotations = { ...ADDS, idempotentHint: true };

/** Replaces what was there; again changes nothing. */
export const REPLACES: ToolAnnotations = { ...SETS, destructiveHint: true };

/** Starts a payment at a provider outside. */
export const PAYS: ToolAnnotations = { ...ADDS, openWorldHint: true };

/**
 * Declares a tool; the arguments reach `run` parsed by `accepts`, or by `input` where there is none. `accepts`
 * is for fields whose problems have codes of their own: it lets them through for `run` to judge. `namesCaller` is
 * for a tool that keeps who called: what is wrong with the `X-Agent-Name` header is told beside the arguments.
 */
export function defineTool<
  I extends z.ZodObject,
  O extends z.ZodObject,
  A extends z.ZodObject = I,
>(
  tool: Omit<Tool, "call" | "input" | "output"> & {
    input: I;
    accepts?: A;
    namesCaller?: true;
    output: O;
    run(
      context: ToolContext,
      args: z.output<A>,
    ): ToolAnswer<z.input<O>> | Promise<ToolAnswer<z.input<O>>>;
  },
): Tool {
  const { run, accepts, namesCaller, ...rest } = tool;
  const schema = (accepts ?? tool.input) as A;
  return {
    ...rest,
    async call(context, args) {
      const others = namesCaller ? callerProblems(context.callerAs()) : [];
      return await run(context, parseInput(schema, args, others)) as ToolAnswer;
    },
  };
}

/** The fields of a shape with anything in them: for a tool whose `run` judges them. */
export function unjudged<S extends z.ZodRawShape>(shape: S): Record<keyof S, z.ZodOptional> {
  const fields = Object.keys(shape).map((name) => [name, z.unknown().optional()]);
  return Object.fromEntries(fields) as Record<keyof S, z.ZodOptional>;
}
