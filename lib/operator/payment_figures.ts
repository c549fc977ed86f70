import { storedAuctionDates } from "../auctions/calendar.ts";
import { listLeading } from "../auctions/holds.ts";
import { closeOf } from "../auctions/status.ts";
import { earliest, isoTime, secondsSince } from "../clock.ts";
import { listValues } from "../kv/ranges.ts";
import type { Deps } from "../payments/deps.ts";
import { isGivenUp, listDoubts } from "../payments/doubts.ts";
import { paymentKeys } from "../payments/keys.ts";
import { STUCK_FAILURES } from "../payments/operations.ts";
import type { Alert, Operation } from "../payments/schema.ts";

/**
 * Payment figures for the operator: whether money flows, and what is stuck. Ages are in seconds.
 */
export interface PaymentFigures {
  lastWebhookAgeSeconds: number | null;
  lastReconciledAgeSeconds: number | null;
  /** Leading bids, with the deadline for capturing their hold. */
  openHolds: {
    auctionId: string;
    bidId: string;
    slug: string;
    totalCents: number;
    closesAt: string;
    captureBefore: string | null;
    /** True if the hold can expire before the latest close, and so could not be captured. */
    endsTooSoon: boolean;
  }[];
  waitingOperations: number;
  oldestOperationAgeSeconds: number | null;
  /** Operations that failed at least five times. */
  stuckOperations: {
    id: string;
    kind: string;
    /** True if it was given up; `operator payments retry` tries it again. */
    needsAttention: boolean;
    failures: number;
    lastError: string | null;
    ageSeconds: number;
  }[];
  /** Payments that do not match their order. */
  doubtfulPayments: {
    id: string;
    object: string;
    checkoutId: string;
    slug: string;
    /** True if it is no longer checked; `operator payments retry` checks it again. */
    needsAttention: boolean;
    ageSeconds: number;
  }[];
  /** The latest alerts, newest first. */
  alerts: { at: string; what: string; details: Alert["details"] }[];
}

const ALERTS_SHOWN = 20;

/** Reads the figures. */
export async function getPaymentFigures(deps: Deps): Promise<PaymentFigures> {
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
    openHolds: await listOpenHolds(deps),
    waitingOperations: operations.length,
    oldestOperationAgeSeconds: secondsSince(
      earliest(operations.map(({ createdAt }) => createdAt)),
      now,
    ),
    stuckOperations: operations.filter((operation) => operation.failures >= STUCK_FAILURES)
      .map(({ id, task, failures, lastError, createdAt, givenUpAt }) => ({
        id,
        kind: task.kind,
        needsAttention: givenUpAt !== undefined,
        failures,
        lastError,
        ageSeconds: secondsSince(createdAt, now),
      })),
    doubtfulPayments: (await listDoubts(deps)).map(({ at, ...doubt }) => ({
      ...doubt,
      needsAttention: isGivenUp({ at, ...doubt }, now),
      ageSeconds: secondsSince(at, now),
    })),
    alerts: alerts.slice(0, ALERTS_SHOWN).map((alert) => ({ ...alert, at: isoTime(alert.at) })),
  };
}

async function listOpenHolds(deps: Deps): Promise<PaymentFigures["openHolds"]> {
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
      endsTooSoon: captureBefore !== null && captureBefore <= dates.latestCloseAt,
    };
  });
}
