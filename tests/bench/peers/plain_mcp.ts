// The same 23 tools over the same services, served by the SDK as its documentation shows: a factory that makes
// an McpServer and registers every tool, with schemas built in each request.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Deps, openDeps } from "@/lib/app/deps.ts";
import { readEnv } from "@/lib/env.ts";
import { Caller } from "@/lib/http/caller.ts";
import { callTool } from "@/lib/mcp/call.ts";
import type { JsonSchema } from "@/lib/mcp/definition.ts";
import { instructions } from "@/lib/mcp/instructions.ts";
import { TOOL_DEFINITIONS } from "@/lib/mcp/server.ts";

/** Writes out a schema in zod's own words, as hand-written registrations do. */
function written(schema: JsonSchema): z.ZodType {
  const [type, nullable] = [schema.type].flat() as [string, string?];
  const base = nullable === "null" ? plain(schema, type).nullable() : plain(schema, type);
  return typeof schema.description === "string" ? base.describe(schema.description) : base;
}

function plain(schema: JsonSchema, type: string): z.ZodType {
  // A record that stands in several places is looser here than where it is written out: that is cheaper.
  if ("$ref" in schema || "anyOf" in schema) return z.looseObject({}).nullable();
  if ("const" in schema) return z.literal(schema.const as string | boolean);
  if (Array.isArray(schema.enum)) return z.enum(schema.enum.filter((value) => value !== null));
  switch (type) {
    case "object": {
      const required = new Set(schema.required as string[]);
      const entries = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
      const shape = Object.fromEntries(
        entries.map(([name, property]) => [
          name,
          required.has(name) ? written(property) : written(property).optional(),
        ]),
      );
      return schema.additionalProperties === false ? z.strictObject(shape) : z.looseObject(shape);
    }
    case "array":
      return z.array(written(schema.items as JsonSchema));
    case "integer":
      return z.int();
    case "number":
      return z.number();
    case "boolean":
      return z.boolean();
    default: {
      const text = z.string();
      return typeof schema.maxLength === "number" ? text.max(schema.maxLength) : text;
    }
  }
}

/** Makes the plain server over open dependencies. */
export function plainMcp(deps: Deps): (req: Request) => Promise<Response> {
  const { fetch: serve } = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer(
      { name: deps.env.siteSlug, version: "1.0.0" },
      { instructions: instructions(deps.env) },
    );
    const caller = new Caller({
      peer: "127.0.0.1",
      headers: requestInfo!.headers,
      identity: deps.identity,
      trustedProxies: 1,
    });
    for (const definition of TOOL_DEFINITIONS) {
      const { name, title, description, annotations, inputSchema, outputSchema } = definition;
      server.registerTool(name, {
        title,
        description,
        annotations,
        inputSchema: written(inputSchema) as z.ZodObject,
        outputSchema: written(outputSchema) as z.ZodObject,
      }, (args) => callTool(name, args, { deps, caller, clientName: "bench" }));
    }
    return server;
  });
  return (req) => serve(req);
}

if (import.meta.main) {
  const deps = await openDeps(readEnv());
  Deno.serve({ port: deps.env.port, hostname: "127.0.0.1", onListen() {} }, plainMcp(deps));
}
