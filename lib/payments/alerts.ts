import type { Tx } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import type { Deps } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import type { Alert } from "./schema.ts";

/** What the operator is told: `what` is a sentence; `details` are ids and codes. */
export type Told = Omit<Alert, "at">;

/**
 * Alerts the operator, in the log and in the payment figures. The same alert is sent only once,
 * however often a job finds its cause.
 */
export function alertOperator(
  deps: Deps,
  what: string,
  details: Alert["details"],
): Promise<void> {
  return transactWithAlert(deps, () => Promise.resolve({ what, details }));
}

/**
 * Runs a transaction that returns an alert for the operator, or null. The alert commits with it, so
 * no permanent record goes unreported.
 */
export async function transactWithAlert(
  deps: Deps,
  body: (tx: Tx) => Promise<Told | null>,
): Promise<void> {
  const at = deps.clock.now();
  const told = await deps.store.transact(async (tx) => {
    const told = await body(tx);
    if (told === null) return null;
    const { what, details } = told;
    const key = paymentKeys.alert(sha256(JSON.stringify([what, details])));
    if ((await tx.get(key)).value !== null) return null;
    tx.setExpiring(key, { at, what, details } satisfies Alert);
    return told;
  });
  if (told !== null) deps.log.error("payments_alert", { what: told.what, ...told.details });
}
