import type Stripe from "stripe";
import type { Deps } from "./deps.ts";

/** The part of `Deps` that payments need. */
export type PaymentDeps = Pick<
  Deps,
  "env" | "clock" | "store" | "switches" | "urls" | "log" | "stripe"
>;

/** `PaymentDeps` of which it is known that a key is configured. */
export type StripeDeps = PaymentDeps & { stripe: Stripe };

/** Whether a key is configured. */
export function hasStripe(deps: PaymentDeps): deps is StripeDeps {
  return deps.stripe !== null;
}
