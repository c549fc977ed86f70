import type Stripe from "stripe";
import type { Clock } from "../clock.ts";
import type { Env } from "../env.ts";
import type { Store } from "../kv/store.ts";
import type { Log } from "../log.ts";
import type { Urls } from "../urls.ts";

/** What payments work with: the part of `Deps` that they need. */
export interface PaymentDeps {
  env: Env;
  clock: Clock;
  store: Store;
  urls: Urls;
  log: Log;
  /** Null where no key is configured. */
  stripe: Stripe | null;
}

/** The same with Stripe present. */
export interface StripeDeps extends PaymentDeps {
  stripe: Stripe;
}

/** Whether a key is configured. */
export function hasStripe<D extends PaymentDeps>(deps: D): deps is D & StripeDeps {
  return deps.stripe !== null;
}
