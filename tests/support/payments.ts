import type { KvLike } from "@/lib/kv/store.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { type TestApp, testApp } from "./app.ts";
import type { StripeEvent } from "./stripe/objects.ts";
import { StripeDouble, TEST_KEY, TEST_SECRET } from "./stripe_double.ts";

/** A Wednesday when the auction for the next Monday is open. */
export const AUCTION_NOW = Date.parse("2026-11-18T12:00:00Z");
export const AUCTION_ID = "front-row-2026-11-23";

/** A service connected to a Stripe double. */
export interface PaidApp extends TestApp {
  stripe: StripeDouble;
  /** Posts an event like Stripe. */
  post(event: StripeEvent, options?: { secret?: string; at?: number }): Promise<Response>;
  /** Delivers every event that is due, and those that result. */
  deliverAll(): Promise<void>;
  /** The session behind a checkout link. */
  sessionOf(checkoutUrl: string): string;
}

/** Creates an in-memory service with payments configured. */
export async function paidApp(
  options: { now?: number; env?: Record<string, string>; kv?: KvLike } = {},
): Promise<PaidApp> {
  const app = await testApp({
    now: options.now ?? AUCTION_NOW,
    kv: options.kv,
    env: { STRIPE_SECRET_KEY: TEST_KEY, STRIPE_WEBHOOK_SECRET: TEST_SECRET, ...options.env },
  });
  const stripe = new StripeDouble(app.clock.now);
  app.deps.stripe = createStripe({ secretKey: TEST_KEY, fetch: stripe.fetch });
  const send = async (request: Request) => {
    return await app.request("/api/stripe/webhook", {
      method: "POST",
      headers: request.headers,
      body: await request.text(),
      address: "3.18.12.63",
    });
  };
  return {
    ...app,
    stripe,
    post: (event, signing) => send(stripe.webhook(event, signing)),
    async deliverAll() {
      await stripe.deliverAll(send);
      await app.deps.placements.caughtUp();
    },
    sessionOf: (checkoutUrl) => checkoutUrl.split("/").at(-1)!,
  };
}
