import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller } from "../http/caller.ts";
import { parseInput } from "../http/input.ts";
import type { Deps } from "./deps.ts";

/** The context of a tool call. */
export interface ToolContext {
  deps: Deps;
  /**
   * The caller through MCP, named by the `X-Agent-Name` header. For a tool whose arguments name the
   * agent, `throughMcp` returns the same caller with that name.
   */
  caller: Caller;
}

/**
 * A tool's response: the data that the JSON API returns for the same thing, and the same as text.
 */
interface ToolAnswer<T = Record<string, unknown>> {
  data: T;
  /** Markdown with all text from strangers escaped. */
  text: string;
}

/** A tool of the MCP server. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** A client may use them to decide to ask its user first. */
  annotations: ToolAnnotations;
  input: z.ZodObject;
  output: z.ZodObject;
  /** Parses the arguments and does the work. Throws `DomainError`. */
  call(context: ToolContext, args: object): Promise<ToolAnswer>;
}

/** A tool that only reads. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A tool that adds something; a second call adds another. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** A tool that sets something of the caller's; a second call changes nothing. */
export const SETS: ToolAnnotations = { ...ADDS, idempotentHint: true };

/** A tool that replaces what was there; a second call changes nothing. */
export const REPLACES: ToolAnnotations = { ...SETS, destructiveHint: true };

/** A tool that starts a payment at an outside provider. */
export const PAYS: ToolAnnotations = { ...ADDS, openWorldHint: true };

/**
 * Declares a tool. Its arguments are parsed by `accepts`, or by `input` if there is none. `accepts`
 * is for fields with error codes of their own: it takes any value, and `run` checks it.
 * `namesCaller` is for a tool that stores who called: problems with the `X-Agent-Name` header are
 * then reported together with those of the arguments. Each result has `ok: true` besides what
 * `output` describes.
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
  const { run, accepts, namesCaller, output, ...rest } = tool;
  const schema = (accepts ?? tool.input) as A;
  return {
    ...rest,
    output: output.extend({ ok: z.literal(true) }),
    async call(context, args) {
      const others = namesCaller ? context.caller.problems : [];
      const given = withoutNulls(args, schema);
      const { data, text } = await run(context, parseInput(schema, given, others));
      return { data: { ok: true, ...data }, text };
    },
  };
}

/**
 * The arguments without optional ones that are null: a client with strict schemas sends every
 * argument, with null for none.
 */
function withoutNulls(args: object, { shape }: z.ZodObject): object {
  const given: Record<string, unknown> = { ...args };
  for (const [name, field] of Object.entries(shape)) {
    if (given[name] === null && field.safeParse(undefined).success) delete given[name];
  }
  return given;
}

/** A shape with the same fields that takes any value, for a tool whose `run` checks them. */
export function unjudged<S extends z.ZodRawShape>(shape: S): Record<keyof S, z.ZodOptional> {
  const fields = Object.keys(shape).map((name) => [name, z.unknown().optional()]);
  return Object.fromEntries(fields) as Record<keyof S, z.ZodOptional>;
}
