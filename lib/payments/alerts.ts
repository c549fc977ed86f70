import { DAY_MS } from "../clock.ts";
import { createLogId } from "../kv/log_id.ts";
import type { PaymentDeps } from "./context.ts";
import { paymentKeys } from "./keys.ts";
import type { Alert } from "./schema.ts";

const ALERT_TTL_MS = 90 * DAY_MS;

/** Tells the operator, in the log and in the figures: `what` is a sentence, `details` hold ids and codes. */
export async function alertOperator(
  deps: PaymentDeps,
  what: string,
  details: Alert["details"],
): Promise<void> {
  const at = deps.clock.now();
  deps.log.error("payments_alert", { what, ...details });
  await deps.store.transact((tx) => {
    tx.set(paymentKeys.alert(createLogId(at)), { at, what, details } satisfies Alert, {
      expireIn: ALERT_TTL_MS,
    });
    return Promise.resolve();
  });
}
