import { DAY_MS } from "../clock.ts";
import { sha256 } from "../text/digest.ts";
import type { PaymentDeps } from "./context.ts";
import { paymentKeys } from "./keys.ts";
import type { Alert } from "./schema.ts";

const ALERT_TTL_MS = 90 * DAY_MS;

/**
 * Alerts the operator, in the log and in the payment figures. `what` is a sentence; `details` hold
 * ids and codes. The same alert is given only once, however often a job meets its cause.
 */
export async function alertOperator(
  deps: PaymentDeps,
  what: string,
  details: Alert["details"],
): Promise<void> {
  const at = deps.clock.now();
  const digest = sha256(JSON.stringify([what, details]));
  const isNew = await deps.store.transact(async (tx) => {
    const key = paymentKeys.alert(digest);
    if ((await tx.get(key)).value !== null) return false;
    tx.set(key, { at, what, details } satisfies Alert, { expireIn: ALERT_TTL_MS });
    return true;
  });
  if (isNew) deps.log.error("payments_alert", { what, ...details });
}
