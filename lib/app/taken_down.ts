import { errorFields } from "../log.ts";
import type { Deps } from "../payments/deps.ts";
import { repeatOperations } from "../payments/operation_runner.ts";
import { expireUselessLinks } from "../payments/reconcile.ts";

/**
 * When a listing is hidden or withdrawn, even by another process, immediately expires its open
 * links and cancels its renewals. The transaction that took the listing down queued what to cancel.
 * Returns a function that stops this.
 */
export function endSalesWhenTakenDown(deps: Deps): () => void {
  return deps.store.subscribe((news) => {
    if (news.type !== "change") return;
    const { kind, event } = news.change;
    if (kind !== "listing" || (event !== "hidden" && event !== "withdrawn")) return;
    expireUselessLinks(deps).then(() => repeatOperations(deps)).catch((error) => {
      deps.log.warn("sales_not_ended", errorFields(error));
    });
  });
}
