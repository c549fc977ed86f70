import { DomainError } from "../errors.ts";
import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import { getSwitches, readSwitches } from "../operator/switches.ts";
import { hasStripe, type PaymentDeps, type StripeDeps } from "./context.ts";

/**
 * Whether anything can be bought now: a key is configured, the operator has not closed payments, and
 * storage answers.
 */
export async function arePaymentsOpen(deps: PaymentDeps): Promise<boolean> {
  if (!hasStripe(deps)) return false;
  const isOpen = async () => !(await getSwitches(deps.store)).paymentsClosed;
  return await attempt(isOpen, DISPENSABLE_MS).catch(() => false);
}

/** The dependencies with Stripe. Throws `payments_unconfigured` if no key is configured. */
export function requireStripe<D extends PaymentDeps>(deps: D): D & StripeDeps {
  if (!hasStripe(deps)) throw new DomainError("payments_unconfigured");
  return deps;
}

/**
 * Throws `payments_disabled` when the operator has closed payments. Takes the KV entry of the
 * switches.
 */
export function requireOpen(switches: { value: unknown }): void {
  if (readSwitches(switches).paymentsClosed) throw new DomainError("payments_disabled");
}
