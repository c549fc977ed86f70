import type Stripe from "stripe";
import { z } from "zod";
import { DomainError } from "../errors.ts";
import { parseInput } from "../http/input.ts";
import { alertOperator } from "./alerts.ts";
import { requireStripe } from "./availability.ts";
import type { Deps } from "./deps.ts";
import { applyEvent, EVENT_TYPES } from "./events.ts";
import { isStripeError } from "./failures.ts";
import { paymentKeys } from "./keys.ts";

const TOLERANCE_SECONDS = 300;

/**
 * The fields of every event. `object` identifies thin events, which name no object that we could
 * read.
 */
const AnyEvent = z.looseObject({
  id: z.string().min(1),
  object: z.literal(
    "event",
    "Must be event: send snapshot payloads to this endpoint, not thin ones",
  ).optional(),
  type: z.string(),
  livemode: z.boolean(),
});

/** The additional fields of event types we handle. */
const KnownEvent = AnyEvent.extend({
  data: z.looseObject({ object: z.looseObject({ id: z.string().min(1) }) }),
});

/**
 * Receives a webhook. The raw body must be signed with one of our secrets, at most 300 s ago.
 * Throws `invalid_input` if it is not, or is not an event; `invalid_json`, `payments_unconfigured`;
 * and errors that must make Stripe resend it (`storage_unavailable`, `stripe_error`, `busy`).
 */
export async function receiveWebhook(
  anyDeps: Deps,
  request: { body: Uint8Array; signature: string | null },
): Promise<void> {
  const deps = requireStripe(anyDeps);
  await verify(deps.stripe, {
    ...request,
    secrets: deps.env.stripeWebhookSecrets,
    now: deps.clock.now(),
  });
  const event = parseEvent(request.body);
  await deps.store.transact((tx) => tx.set(paymentKeys.health("webhook"), deps.clock.now()));
  if (event.livemode !== isLiveKey(deps.env.stripeSecretKey)) {
    return await alertOperator(
      deps,
      "A webhook came from a different mode (live or test) than the key",
      { mode: event.livemode ? "live" : "test" },
    );
  }
  await applyEvent(deps, event);
}

async function verify(
  stripe: Stripe,
  webhook: { body: Uint8Array; signature: string | null; secrets: string[]; now: number },
): Promise<void> {
  const { body, signature, secrets, now } = webhook;
  // Stripe's library refuses only old timestamps. A body signed for the future could be replayed
  // for a long time.
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature ?? "")?.[1]) * 1000;
  const isTimely = signedAt <= now + TOLERANCE_SECONDS * 1000;
  for (const secret of isTimely ? secrets : []) {
    try {
      await stripe.webhooks.signature!.verifyHeaderAsync(
        body,
        signature!,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        now,
      );
      return;
    } catch (error) {
      if (!isStripeError(error) || error.type !== "StripeSignatureVerificationError") throw error;
    }
  }
  throw new DomainError("invalid_input", [
    { field: "Stripe-Signature", message: "Missing, wrong or more than 300 seconds old" },
  ]);
}

/** Parses a signed body; anything but an event is refused like any bad body. */
function parseEvent(body: Uint8Array): Stripe.Event {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new DomainError("invalid_json");
  }
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    throw new DomainError("invalid_json");
  }
  const { type } = parseInput(AnyEvent, event);
  if ((EVENT_TYPES as readonly string[]).includes(type)) parseInput(KnownEvent, event);
  return event as Stripe.Event;
}

function isLiveKey(key: string | undefined): boolean {
  return key !== undefined && /^[rs]k_(org_)?live_/.test(key);
}
