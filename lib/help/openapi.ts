import type { Operation } from "../openapi/operation.ts";
import { HelpBody, HelpQuery } from "./schema.ts";

/** Operations of the help. */
export const helpOperations: Operation[] = [
  {
    method: "get",
    path: "/api/v1/help",
    operationId: "getHelp",
    tag: "Service",
    summary: "Questions and answers, a brief and current prices",
    description: "The help link of every error leads to one of these entries.",
    query: HelpQuery,
    responses: { 200: { description: "Entries that match", schema: HelpBody } },
  },
];
