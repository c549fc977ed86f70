import type { Operations } from "../openapi/operation.ts";
import { StatsBody } from "./schema.ts";

export const statsOperations: Operations = {
  "GET /api/v1/stats": {
    operationId: "getStats",
    summary: "Public traffic counts by interface and kind of visitor",
    description: "Aggregates only. Individual visits are not stored.",
    responses: { 200: { description: "Counters by UTC day", schema: StatsBody } },
  },
};
