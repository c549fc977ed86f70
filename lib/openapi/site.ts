import { z } from "zod";
import { TYPES } from "../http/respond.ts";
import type { Operations } from "./operation.ts";

/** The body of `GET /api/v1`: where everything is. */
const ApiIndex = z.object({
  ok: z.literal(true),
  name: z.string(),
  description: z.string(),
  version: z.literal("v1"),
  docs: z.url(),
  openapi: z.url(),
  mcp: z.url(),
  llms: z.url(),
  endpoints: z.array(z.object({
    operationId: z.string(),
    method: z.string(),
    url: z.string().describe("A URL template with parameters in braces"),
    summary: z.string(),
  })),
}).meta({ id: "ApiIndex" });

export const siteOperations: Operations = {
  "GET /api/v1": {
    operationId: "getIndex",
    summary: "Index and endpoint map",
    responses: { 200: { description: "Every endpoint and link", schema: ApiIndex } },
  },
  "GET /openapi.json": {
    operationId: "getOpenApi",
    summary: "All operations as OpenAPI 3.1",
    responses: {
      200: {
        description: "The OpenAPI 3.1 document",
        schema: z.looseObject({ openapi: z.string() }),
        type: TYPES.json,
      },
    },
  },
};
