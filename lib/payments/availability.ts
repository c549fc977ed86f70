import { DomainError } from "../errors.ts";
import { readSwitches, shownSwitches } from "../switches.ts";
import { type Deps, hasStripe, type StripeDeps } from "./deps.ts";

/**
 * Whether anything can be bought now: a key is configured, and the operator has not closed payments
 * (as last known, if storage is slow or fails).
 */
export async function arePaymentsOpen(deps: Deps): Promise<boolean> {
  if (!hasStripe(deps)) return false;
  const switches = await shownSwitches(deps);
  return switches !== null && !switches.paymentsClosed;
}

/** The dependencies, including Stripe. Throws `payments_unconfigured` if no key is configured. */
export function requireStripe(deps: Deps): StripeDeps {
  if (!hasStripe(deps)) throw new DomainError("payments_unconfigured");
  return deps;
}

/**
 * Throws `payments_disabled` if the operator has closed payments. Takes the KV entry of the
 * switches.
 */
export function requireOpen(switches: { value: unknown }): void {
  if (readSwitches(switches).paymentsClosed) throw new DomainError("payments_disabled");
}
