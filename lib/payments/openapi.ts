import { z } from "zod";
import type { Operation } from "../openapi/operation.ts";
import { PortalBody, PortalInput } from "./schema.ts";

/** Operations of the billing portal. */
export const portalOperations: Operation[] = [
  {
    method: "post",
    path: "/api/v1/billing/portal",
    operationId: "openBillingPortal",
    tag: "Promotion",
    summary: "Link to the billing portal of a listing",
    description:
      "For whoever holds the edit key: saved cards, invoices, cancelling a renewal. It opens for one payer: " +
      "of the live renewal (of two, one that is not cancelled yet), else of the latest payment.",
    editKey: true,
    body: { schema: PortalInput, example: { slug: "inkwell" } },
    responses: {
      200: {
        description: "The link to the portal",
        schema: PortalBody,
        example: { ok: true, portalUrl: "https://billing.stripe.com/p/session/live_a1b2c3" },
      },
    },
    errors: ["rate_limited", "not_found", "payments_unconfigured", "stripe_error", "stripe_no_url"],
  },
];

/** What the payment provider calls. */
export const webhookOperations: Operation[] = [
  {
    method: "post",
    path: "/api/stripe/webhook",
    operationId: "receiveStripeWebhook",
    tag: "Payments",
    summary: "Events of Stripe, signed",
    body: { schema: z.looseObject({}), example: { id: "evt_1", object: "event" } },
    responses: {
      200: {
        description: "Taken in, or of no interest",
        schema: z.object({ ok: z.literal(true) }).meta({ id: "WebhookTaken" }),
      },
    },
    errors: ["payments_unconfigured", "busy", "stripe_error"],
  },
];
