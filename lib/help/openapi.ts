import type { Operations } from "../openapi/operation.ts";
import { HelpBody, HelpQuery } from "./schema.ts";

export const helpOperations: Operations = {
  "GET /api/v1/help": {
    operationId: "getHelp",
    summary: "Questions and answers, a summary and current prices",
    description: "Every error's help link leads to one of these entries.",
    query: HelpQuery,
    responses: { 200: { description: "Matching entries", schema: HelpBody } },
  },
};
