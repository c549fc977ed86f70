import { storedAuctionDates } from "../auctions/calendar.ts";
import { listLeading } from "../auctions/holds.ts";
import { closeOf } from "../auctions/status.ts";
import { earliest, isoTime, secondsSince } from "../clock.ts";
import { listValues } from "../kv/ranges.ts";
import type { Deps } from "../payments/deps.ts";
import { isGivenUp, listDoubts } from "../payments/doubts.ts";
import { paymentKeys } from "../payments/keys.ts";
import { isStuck } from "../payments/operations.ts";
import type { Alert, Operation } from "../payments/schema.ts";

const ALERTS_SHOWN = 20;

/** Payment figures for the operator: whether money flows, and what is stuck. */
export type PaymentFigures = Awaited<ReturnType<typeof getPaymentFigures>>;

/** Reads the figures. Ages are in seconds. */
export async function getPaymentFigures(deps: Deps) {
  const now = deps.clock.now();
  const [webhook, reconciled] = await deps.store.getMany<number>([
    paymentKeys.health("webhook"),
    paymentKeys.health("reconciled"),
  ]);
  const operations = await listValues<Operation>(deps.store, paymentKeys.operations);
  const alerts = await listValues<Alert>(deps.store, paymentKeys.alerts);
  alerts.sort((a, b) => b.at - a.at);
  return {
    lastWebhookAgeSeconds: secondsSince(webhook!.value, now),
    lastReconciledAgeSeconds: secondsSince(reconciled!.value, now),
    // Leading bids, with the deadline for capturing their hold.
    openHolds: await listOpenHolds(deps),
    waitingOperations: operations.length,
    oldestOperationAgeSeconds: secondsSince(
      earliest(operations.map(({ createdAt }) => createdAt)),
      now,
    ),
    stuckOperations: operations.filter((operation) => isStuck(operation, now))
      .map(({ id, task, failures, lastError, createdAt, givenUpAt }) => ({
        id,
        kind: task.kind,
        // It was given up; `operator payments retry` tries it again.
        needsAttention: givenUpAt !== undefined,
        failures,
        lastError,
        ageSeconds: secondsSince(createdAt, now),
      })),
    // Payments that do not match their order.
    doubtfulPayments: (await listDoubts(deps)).map(({ at, ...doubt }) => ({
      ...doubt,
      // It is no longer checked; `operator payments retry` checks it again.
      needsAttention: isGivenUp({ at, ...doubt }, now),
      ageSeconds: secondsSince(at, now),
    })),
    alerts: alerts.slice(0, ALERTS_SHOWN).map((alert) => ({ ...alert, at: isoTime(alert.at) })),
  };
}

async function listOpenHolds(deps: Deps) {
  return (await listLeading(deps.store)).map(({ auction, bid }) => {
    const { bidId, slug, totalCents } = auction.high;
    const dates = storedAuctionDates(auction.id);
    const captureBefore = bid?.captureBefore ?? null;
    return {
      auctionId: auction.id,
      bidId,
      slug,
      totalCents,
      closesAt: isoTime(closeOf(dates, auction)),
      captureBefore: captureBefore === null ? null : isoTime(captureBefore),
      // It can expire before the latest close, and so could not be captured.
      endsTooSoon: captureBefore !== null && captureBefore <= dates.latestCloseAt,
    };
  });
}
