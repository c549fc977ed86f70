/**
 * Asks Stripe for a checkout's session. Our record is written first, and the idempotency key is
 * made from its id and attempt. So a crash or a lost response leads to the same session again, or
 * to one that nobody can pay.
 */
import type Stripe from "stripe";
import { delay, MINUTE_MS } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { writeCheckout } from "./checkout.ts";
import type { StripeDeps } from "./deps.ts";
import {
  failureCode,
  failureKind,
  isConcurrent,
  requireStripeError,
  stripeFailed,
} from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import { checkoutIdOf, kindOf } from "./kinds.ts";
import { queueOperation } from "./operations.ts";
import { expiryOf } from "./performers.ts";
import type { Checkout } from "./schema.ts";
import { sessionParams } from "./session_params.ts";

/** The shortest lifetime (ms) that Stripe allows for a link, from the time of the request. */
export const SHORTEST_LINK_MS = 30 * MINUTE_MS;

/**
 * How long to wait (ms) while Stripe is answering another request with the same idempotency key.
 * After that we get that request's result.
 */
const CONCURRENT_PAUSES_MS = [200, 500, 1_000];

/** A payable checkout and its link. */
export interface OpenedCheckout {
  id: string;
  checkoutUrl: string;
}

/**
 * Returns a checkout's link: the existing one, or a new one from Stripe. Throws `stripe_error` or
 * `stripe_no_url`, the latter also if the link became useless while Stripe created it. Retrying is
 * safe in both cases.
 */
export async function openCheckout(deps: StripeDeps, id: string): Promise<OpenedCheckout> {
  const started = await startAttempt(deps, id);
  if (started.status !== "failed" && started.url !== null) return { id, checkoutUrl: started.url };
  if (started.status !== "creating") throw stripeFailed(started.status);
  const session = await askStripe(deps, started);
  const adopted = await adoptSession(deps, id, session);
  if (adopted.url === null) throw new DomainError("stripe_no_url");
  return { id, checkoutUrl: adopted.url };
}

/**
 * Prepares the record for a call to Stripe: the same attempt again, or the next one if the last
 * failed. An attempt also counts as failed if its response was lost and too little time is left for
 * a link, unless Stripe has a session for it.
 */
async function startAttempt(deps: StripeDeps, id: string): Promise<Checkout> {
  const { value } = await deps.store.get<Checkout>(paymentKeys.checkout(id));
  if (value === null) throw new Error(`No checkout ${id}`);
  const isUnsure = (checkout: Checkout) =>
    checkout.status === "creating" &&
    (checkout.lookUp || checkout.expiresAt < deps.clock.now() + SHORTEST_LINK_MS);
  if (isUnsure(value)) {
    const found = await findSession(deps, value);
    if (found !== null) return await adoptSession(deps, id, found);
  }
  return await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const { value: current } = await tx.get<Checkout>(paymentKeys.checkout(id));
    if (current === null) throw new Error(`No checkout ${id}`);
    if (current.status !== "failed" && !isUnsure(current)) return current;
    const next: Checkout = {
      ...current,
      status: "creating",
      attempt: current.attempt + 1,
      lookUp: false,
      sessionId: null,
      url: null,
      isPaying: false,
      expiresAt: now + kindOf(deps, current).linkMs,
    };
    writeCheckout(tx, next);
    return next;
  });
}

async function askStripe(
  deps: StripeDeps,
  checkout: Checkout,
  pauses = CONCURRENT_PAUSES_MS,
): Promise<Stripe.Checkout.Session> {
  try {
    return await deps.stripe.checkout.sessions.create(sessionParams(deps, checkout), {
      idempotencyKey: `checkout-${checkout.id}-${checkout.attempt}`,
    });
  } catch (error) {
    const kind = failureKind(error);
    const [pause, ...rest] = pauses;
    if (isConcurrent(error) && pause !== undefined) {
      await delay(pause);
      return await askStripe(deps, checkout, rest);
    }
    deps.log.warn("checkout_failed", { id: checkout.id, error: failureCode(error) });
    await deps.store.transact(async (tx) => {
      const { value } = await tx.get<Checkout>(paymentKeys.checkout(checkout.id));
      if (value?.status !== "creating" || value.attempt !== checkout.attempt) return;
      if (kind === "refused") writeCheckout(tx, { ...value, status: "failed" });
      if (kind === "saved") writeCheckout(tx, { ...value, lookUp: true });
    });
    throw stripeFailed(error);
  }
}

/**
 * Records a checkout's session. If it has no usable link, or paying would be useless by now, the
 * session is expired so nobody can pay.
 */
async function adoptSession(
  deps: StripeDeps,
  id: string,
  session: Stripe.Checkout.Session,
): Promise<Checkout> {
  return await deps.store.transact(async (tx) => {
    const { value } = await tx.get<Checkout>(paymentKeys.checkout(id));
    if (value === null) throw new Error(`No checkout ${id}`);
    if (value.status !== "creating" && value.status !== "failed") return value;
    const isUsable = session.url?.startsWith("https://") &&
      !await kindOf(deps, value).isUseless(tx, value);
    const url = isUsable ? session.url : null;
    const next: Checkout = {
      ...value,
      sessionId: session.id,
      url,
      lookUp: false,
      status: session.status === "open" && url === null ? "failed" : "open",
    };
    if (next.status === "failed") {
      await queueOperation(tx, expiryOf(next));
    }
    writeCheckout(tx, next);
    return next;
  });
}

/** Searches Stripe for a session of this checkout that has not expired; null if there is none. */
async function findSession(
  deps: StripeDeps,
  checkout: Checkout,
): Promise<Stripe.Checkout.Session | null> {
  try {
    const since = Math.floor((checkout.createdAt - MINUTE_MS) / 1000);
    const sessions = deps.stripe.checkout.sessions.list({ created: { gte: since }, limit: 100 });
    for await (const session of sessions) {
      if (checkoutIdOf(deps, session.metadata) === checkout.id && session.status !== "expired") {
        return session;
      }
    }
    return null;
  } catch (error) {
    requireStripeError(error);
    throw stripeFailed(error);
  }
}

/**
 * Ends a checkout that is waiting for Stripe's response: adopts its session if Stripe has one, else
 * marks it as failed. For reconciliation.
 */
export async function convergeCheckout(deps: StripeDeps, checkout: Checkout): Promise<void> {
  const found = await findSession(deps, checkout);
  if (found !== null) {
    await adoptSession(deps, checkout.id, found);
    return;
  }
  await deps.store.transact(async (tx) => {
    const { value } = await tx.get<Checkout>(paymentKeys.checkout(checkout.id));
    if (value?.status === "creating" && value.attempt === checkout.attempt) {
      writeCheckout(tx, { ...value, status: "failed" });
    }
  });
}
