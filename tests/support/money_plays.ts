/**
 * Plays for the money stage: together they reach every line that commits or calls Stripe. A step
 * may be replayed after a crash, as a client, Stripe or a job would do.
 */
import type { Deps } from "@/lib/app/deps.ts";
import { placeBid } from "@/lib/auctions/bids.ts";
import { comingPeriods } from "@/lib/auctions/calendar.ts";
import type { TierId } from "@/lib/catalog/tiers.ts";
import { HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { retryDoubts } from "@/lib/payments/doubts.ts";
import { reconcilePayments, settlePayments } from "@/lib/payments/jobs.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import { orderPromotion } from "@/lib/promotions/orders.ts";
import { openBillingPortal } from "@/lib/promotions/portal.ts";
import { type MoneyStage, type Process, STAGE_KEY } from "./money_stage.ts";
import type { Session } from "./stripe/objects.ts";
import type { Fault } from "./stripe_double.ts";

/** One step: an action of a process, Stripe, time or a human. */
type Step = (stage: MoneyStage, process: Process) => unknown;

export interface Play {
  name: string;
  /** True if a capture fails in it, as at Stripe when the card has since been blocked. */
  refusesCapture?: boolean;
  steps: Step[];
}

/** When plays begin: a Wednesday with an open auction. */
export const PLAY_NOW = Date.parse("2026-11-18T12:00:00Z");

const caller = (network: string) => ({ network, agentName: null });

/** An order that its client repeats with the same key. */
const order = (slug: string, tierId: TierId, options: { renews?: boolean; key?: string } = {}) => {
  const key = options.key ?? `${slug} ${tierId}`;
  const step: Step = (_, { deps }) =>
    orderPromotion(deps, {
      input: { slug, tierId, autoRenew: options.renews ?? false },
      caller: caller(key),
      idempotencyKey: key,
    });
  return step;
};

const bid = (slug: string, amountCents: number): Step => (stage, { deps }) =>
  placeBid(deps, {
    auctionId: comingPeriods(stage.clock.now(), 1)[0]!.id,
    slug,
    amountCents,
    caller: caller(`${slug} ${amountCents}`),
    idempotencyKey: "bid",
  });

/** A human pays a listing's open sessions, latest first. */
const pay = (slug: string, options: { delayed?: boolean; all?: boolean } = {}): Step => (stage) => {
  const open = [...stage.stripe.sessions.values()].reverse()
    .filter((session) => session.status === "open" && session.metadata.slug === slug);
  for (const { id } of options.all ? open : open.slice(0, 1)) stage.stripe.pay(id, options);
};

const withdraw = (slug: string): Step => (stage, { deps }) => stage.withdraw(deps, slug);

/** Stripe delivers what is due, and what results, until all of it is acknowledged. */
const webhooks: Step = async (stage, process) => {
  for (let round = 0; round < 20 && stage.stripe.undelivered().length > 0; round++) {
    for (const event of stage.stripe.undelivered()) await stage.deliver(process, event);
  }
};

/** Drops all due webhooks for good. */
const lose: Step = (stage) => {
  for (const { id } of stage.stripe.undelivered()) stage.stripe.delivered.add(id);
};

/** A step during which Stripe fails like this, each time it is played. */
const amid = (fault: Fault, match: RegExp, step: Step): Step => async (stage, process) => {
  stage.stripe.fail(fault, match);
  try {
    await step(stage, process);
  } finally {
    stage.stripe.faults.length = 0;
  }
};
const tick: Step = async (_, { deps }) => {
  await settlePayments(deps);
};
const look: Step = (_, { deps }) => reconcile(deps);
/** Runs the job, which survives failures unless the process dies. */
const job: Step = async (_, { deps, life }) => {
  try {
    await reconcilePayments(deps);
  } catch (error) {
    if (life.dead) throw error;
  }
};
const wait = (ms: number): Step => (stage) => {
  stage.clock.advance(ms);
  stage.stripe.passTime();
};
const toClose: Step = (stage) => {
  stage.clock.set(comingPeriods(stage.clock.now(), 1)[0]!.scheduledCloseAt);
  stage.stripe.passTime();
};
const settlePayment = (slug: string, succeeds: boolean): Step => (stage) => {
  for (const session of stage.stripe.sessions.values()) {
    if (session.metadata.slug !== slug || session.status !== "complete") continue;
    stage.stripe.settle(session.id, succeeds);
  }
};
/** Someone changes the totals of a listing's sessions. */
const change = (slug: string, total: number): Step => (stage) => {
  for (const session of stage.stripe.sessions.values()) {
    if (session.metadata.slug === slug) session.amount_total = total;
  }
};
const subscriptionsOf = (stage: MoneyStage, slug: string) =>
  [...stage.stripe.subscriptions.values()]
    .filter(({ metadata, status }) => metadata.slug === slug && status !== "canceled");

const CREATE = /^POST .*checkout\/sessions$/;

export const PLAYS: readonly Play[] = [
  {
    name: "orders, paid, repeated, lost and found",
    steps: [
      order("alpha", "bump-3"),
      order("alpha", "bump-3"),
      pay("alpha"),
      webhooks,
      // Stripe created a session and responds with 500: it is looked up, not created twice.
      amid("http_500_after", CREATE, order("beta", "boost-7")),
      order("beta", "boost-7"),
      pay("beta"),
      lose,
      look,
      // A rejection ends the attempt, and the next one has a new key.
      amid("http_402", CREATE, order("gamma", "bump-3")),
      order("gamma", "bump-3"),
      pay("gamma"),
      webhooks,
      amid("no_url", CREATE, order("delta", "bump-3")),
    ],
  },
  {
    name: "orders without an answer, and links that end",
    steps: [
      amid("lost_before", CREATE, order("alpha", "bump-3")),
      wait(3 * MINUTE_MS),
      look,
      amid("lost_after", CREATE, order("beta", "bump-3")),
      wait(3 * MINUTE_MS),
      look,
      order("gamma", "bump-3"),
      order("delta", "bump-3"),
      (stage) => {
        // As if the session belonged to another account's key.
        const isDeltas = (session: Session) => session.metadata.slug === "delta";
        const gone = [...stage.stripe.sessions.values()].find(isDeltas);
        if (gone) stage.stripe.sessions.delete(gone.id);
      },
      wait(24 * HOUR_MS),
      webhooks,
      look,
    ],
  },
  {
    name: "a look at Stripe that fails, and the next one",
    steps: [
      order("alpha", "bump-3"),
      amid("http_500", /^GET/, job),
      job,
    ],
  },
  {
    name: "payments that someone changes, then corrects",
    steps: [
      order("alpha", "bump-3"),
      pay("alpha"),
      change("alpha", 1),
      webhooks,
      look,
      (_, { deps }) => retryDoubts(deps),
      look,
      change("alpha", 546),
      look,
    ],
  },
  {
    name: "payments that confirm later",
    steps: [
      order("alpha", "spotlight-30"),
      pay("alpha", { delayed: true }),
      webhooks,
      settlePayment("alpha", false),
      webhooks,
      order("beta", "spotlight-30"),
      pay("beta", { delayed: true }),
      webhooks,
      settlePayment("beta", true),
      webhooks,
      order("gamma", "boost-7", { renews: true }),
      pay("gamma", { delayed: true }),
      webhooks,
      settlePayment("gamma", true),
      webhooks,
    ],
  },
  {
    name: "renewals: paid, doubled, renewed, hidden",
    steps: [
      order("alpha", "boost-7", { renews: true, key: "first" }),
      order("alpha", "boost-7", { renews: true, key: "second" }),
      pay("alpha"),
      webhooks,
      pay("alpha"),
      amid("http_500", /^DELETE/, webhooks),
      wait(MINUTE_MS),
      tick,
      (_, { deps }) =>
        openBillingPortal(deps as unknown as Deps, {
          slug: "alpha",
          editKey: STAGE_KEY.editKey,
          // deno-lint-ignore no-explicit-any -- the portal reads no more of a caller
          caller: caller("owner") as any,
        }),
      wait(7 * 24 * HOUR_MS),
      (stage) => {
        for (const { id } of subscriptionsOf(stage, "alpha")) stage.stripe.renew(id);
      },
      webhooks,
      (stage, { deps }) => stage.hide(deps, "alpha"),
      webhooks,
    ],
  },
  {
    name: "links to pay for a listing that is hidden",
    steps: [
      order("alpha", "bump-3"),
      order("alpha", "boost-7", { renews: true }),
      order("beta", "bump-3"),
      (stage, { deps }) => stage.hide(deps, "alpha"),
      amid("http_500", /\/expire$/, look),
      wait(MINUTE_MS),
      tick,
      pay("alpha", { all: true }),
      pay("beta"),
      webhooks,
    ],
  },
  {
    name: "an owner withdraws a listing that leads, renews and is being paid for",
    steps: [
      order("alpha", "boost-7", { renews: true }),
      pay("alpha"),
      webhooks,
      bid("alpha", 1000),
      pay("alpha"),
      webhooks,
      order("alpha", "bump-3"),
      bid("alpha", 2000),
      order("beta", "bump-3"),
      withdraw("alpha"),
      amid("http_500", /\/(cancel|expire)$/, tick),
      pay("alpha", { all: true }),
      webhooks,
      // Bidding starts over.
      bid("beta", 1000),
      pay("beta"),
      webhooks,
      toClose,
      tick,
      webhooks,
      withdraw("beta"),
      wait(MINUTE_MS),
      tick,
    ],
  },
  {
    name: "a renewal that its payer cancels",
    steps: [
      order("gamma", "boost-7", { renews: true }),
      pay("gamma"),
      webhooks,
      (stage) => {
        for (const { id } of subscriptionsOf(stage, "gamma")) stage.stripe.cancelSubscription(id);
      },
      webhooks,
    ],
  },
  {
    name: "an auction: outbid, swept, won, too late",
    steps: [
      bid("alpha", 1000),
      bid("beta", 1200),
      bid("gamma", 1500),
      pay("alpha"),
      webhooks,
      pay("gamma"),
      amid("http_500_after", /\/cancel$/, amid("http_500_after", /\/expire$/, webhooks)),
      wait(20 * MINUTE_MS),
      tick,
      toClose,
      (stage) => stage.clock.advance(-5 * MINUTE_MS),
      bid("delta", 1600),
      pay("delta"),
      wait(5 * MINUTE_MS),
      amid("lost_after", /\/capture$/, tick),
      webhooks,
    ],
  },
  {
    name: "an auction whose winner's hold lapses",
    steps: [
      bid("alpha", 1000),
      pay("alpha"),
      webhooks,
      (stage) => {
        for (const { payment_method_details } of stage.stripe.charges.values()) {
          payment_method_details!.card!.capture_before = stage.stripe.now + 60;
        }
      },
      wait(2 * MINUTE_MS),
      webhooks,
      toClose,
      tick,
      webhooks,
    ],
  },
  {
    name: "holds that someone captures by hand",
    steps: [
      bid("alpha", 1000),
      pay("alpha"),
      webhooks,
      bid("beta", 2000),
      pay("beta"),
      lose,
      (stage) => {
        for (const { id } of stage.stripe.intents.values()) {
          if (stage.capturedByHand.has(id)) continue;
          stage.capturedByHand.add(id);
          stage.stripe.captureIntent(id, null);
        }
      },
      look,
      bid("gamma", 3000),
      pay("gamma"),
      webhooks,
      toClose,
      tick,
      webhooks,
    ],
  },
  {
    name: "an auction whose winner's card is refused",
    refusesCapture: true,
    steps: [
      bid("alpha", 1000),
      pay("alpha"),
      lose,
      look,
      toClose,
      amid("http_402", /\/capture$/, tick),
      webhooks,
    ],
  },
];
