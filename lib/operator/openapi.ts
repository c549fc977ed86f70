import { z } from "zod";
import { RATE_LIMITS } from "../limits.ts";
import type { Operations } from "../openapi/operation.ts";
import { pageFields } from "../openapi/shapes.ts";
import { ActionQuery, PublicAction } from "./actions.ts";
import { ReportBody, ReportInput } from "./reports.ts";
import { HealthBody } from "./schema.ts";

/** A page of the public log. */
const ActionPage = z.object({
  ok: z.literal(true),
  actions: z.array(PublicAction),
  ...pageFields,
}).meta({ id: "OperatorActionPage" });

export const operatorOperations: Operations = {
  "GET /api/v1/health": {
    operationId: "getHealth",
    unkept: true,
    summary: "Health check",
    description: "Performs a test write and checks the queues, at most once every 5 seconds. " +
      "503 means that the database can't be written to. `degraded` means that something needs the operator's attention.",
    responses: {
      200: { description: "The database is readable and writable", schema: HealthBody },
    },
  },
  "GET /api/v1/operator-log": {
    operationId: "listOperatorActions",
    summary: "Public log of operator actions",
    description: "The kind, reason and day of each action, but never who or what it concerned.",
    query: ActionQuery,
    responses: {
      200: {
        description: "A page of the log, latest first",
        schema: ActionPage,
        example: {
          ok: true,
          actions: [{ kind: "listing_hidden", reason: "spam", day: "2026-03-04" }],
          total: 1,
          limit: 30,
          offset: 0,
          nextOffset: null,
        },
      },
    },
  },
  "POST /api/v1/reports": {
    operationId: "createReport",
    summary: "Report a project, a skill or something else on the site",
    description: `Only the operator sees it. Up to ${RATE_LIMITS.reports} an hour.`,
    body: {
      schema: ReportInput,
      example: { kind: "listing", slug: "inkwell", reason: "broken", note: "The site is gone" },
    },
    responses: { 201: { description: "Report received", schema: ReportBody } },
    errors: ["not_found", "rate_limited"],
  },
};
