import type { Operations } from "../openapi/operation.ts";
import { AiOfTheDayView } from "./schema.ts";

export const aiOfTheDayOperations: Operations = {
  "GET /api/v1/ai-of-the-day": {
    operationId: "getAiOfTheDay",
    summary: "Today's AI of the Day, its theme, and the race for tomorrow",
    responses: { 200: { description: "The AI of the Day", schema: AiOfTheDayView } },
  },
};
