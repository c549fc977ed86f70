import Stripe from "stripe";
import { z } from "zod";
import { DomainError } from "../errors.ts";
import { parseInput } from "../http/input.ts";
import { alertOperator } from "./alerts.ts";
import { requireStripe } from "./availability.ts";
import type { PaymentDeps } from "./context.ts";
import { applyEvent, EVENT_TYPES } from "./events.ts";
import { paymentKeys } from "./keys.ts";

const TOLERANCE_SECONDS = 300;

/** What every event has. */
const AnyEvent = z.looseObject({ id: z.string().min(1), type: z.string(), livemode: z.boolean() });

/** The further fields of an event whose type is handled. */
const KnownEvent = AnyEvent.extend({
  data: z.looseObject({ object: z.looseObject({ id: z.string().min(1) }) }),
});

/**
 * Receives a webhook. The raw body must be signed with one of our secrets, at most 300 s ago.
 * Throws `invalid_input` if it is not, or is no event; `invalid_json`, `payments_unconfigured`; and
 * whatever must make Stripe send it again (`storage_unavailable`, `stripe_error`, `busy`).
 */
export async function receiveWebhook(
  anyDeps: PaymentDeps,
  request: { body: Uint8Array; signature: string | null },
): Promise<void> {
  const deps = requireStripe(anyDeps);
  const event = await verify(deps.stripe, {
    ...request,
    secrets: deps.env.stripeWebhookSecrets,
    now: deps.clock.now(),
  });
  requireEvent(event);
  await deps.store.transact((tx) => {
    tx.set(paymentKeys.health("webhook"), deps.clock.now());
  });
  if (event.livemode !== isLiveKey(deps.env.stripeSecretKey)) {
    const mode = event.livemode ? "live" : "test";
    return await alertOperator(deps, "A webhook came from the mode that the key is not of", {
      mode,
    });
  }
  await applyEvent(deps, event);
}

async function verify(
  stripe: Stripe,
  webhook: { body: Uint8Array; signature: string | null; secrets: string[]; now: number },
): Promise<Stripe.Event> {
  const { body, signature, secrets, now } = webhook;
  // Stripe's library refuses only old timestamps. A body signed for the future could be replayed
  // for long.
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature ?? "")?.[1]) * 1000;
  const isTimely = signedAt <= now + TOLERANCE_SECONDS * 1000;
  for (const secret of isTimely ? secrets : []) {
    try {
      return await stripe.webhooks.constructEventAsync(
        body,
        signature!,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        now,
      );
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      if (!(error instanceof SyntaxError)) throw error;
      throw new DomainError("invalid_json");
    }
  }
  throw new DomainError("invalid_input", [
    { field: "Stripe-Signature", message: "Is missing, wrong or more than 300 seconds off" },
  ]);
}

/** Refuses a signed body that is no event, as any bad body is refused. */
function requireEvent(event: unknown): void {
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    throw new DomainError("invalid_json");
  }
  const { type } = parseInput(AnyEvent, event);
  if ((EVENT_TYPES as readonly string[]).includes(type)) parseInput(KnownEvent, event);
}

function isLiveKey(key: string | undefined): boolean {
  return key !== undefined && /^[rs]k_(org_)?live_/.test(key);
}
