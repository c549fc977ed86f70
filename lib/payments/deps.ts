import type Stripe from "stripe";
import type { CachedRead } from "../cache/cached_read.ts";
import type { Core } from "../core.ts";
import type { Switches } from "../switches.ts";
import type { PaymentKind } from "./kinds.ts";

export interface Deps extends Core {
  /** The operator's switches, as last read. */
  switches: CachedRead<Switches>;
  /** Null if no key is configured. */
  stripe: Stripe | null;
  /** Everything that can be paid for. */
  paymentKinds: readonly PaymentKind[];
}

/** `Deps` with a configured key. */
export type StripeDeps = Deps & { stripe: Stripe };

/** Whether a key is configured. */
export function hasStripe(deps: Deps): deps is StripeDeps {
  return deps.stripe !== null;
}
