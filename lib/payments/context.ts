import type Stripe from "stripe";
import type { Clock } from "../clock.ts";
import type { Env } from "../env.ts";
import type { Store } from "../kv/store.ts";
import type { Log } from "../log.ts";
import type { Urls } from "../urls.ts";

/** The part of `Deps` that payments need. */
export interface PaymentDeps {
  env: Env;
  clock: Clock;
  store: Store;
  urls: Urls;
  log: Log;
  /** Null where no key is configured. */
  stripe: Stripe | null;
}

/** `PaymentDeps` of which it is known that a key is configured. */
export interface StripeDeps extends PaymentDeps {
  stripe: Stripe;
}

/** Whether a key is configured. */
export function hasStripe<D extends PaymentDeps>(deps: D): deps is D & StripeDeps {
  return deps.stripe !== null;
}
