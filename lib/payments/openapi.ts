import { z } from "zod";
import type { Operations } from "../openapi/operation.ts";

/** The endpoint that the payment provider calls. */
export const webhookOperations: Operations = {
  "POST /api/stripe/webhook": {
    operationId: "receiveStripeWebhook",
    summary: "Signed Stripe events",
    body: { schema: z.looseObject({}), example: { id: "evt_1", object: "event" } },
    responses: {
      200: {
        description: "Received",
        schema: z.object({ ok: z.literal(true) }).meta({ id: "WebhookTaken" }),
      },
    },
    errors: ["payments_unconfigured", "busy", "stripe_error"],
  },
};
