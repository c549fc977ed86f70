import { assert, assertEquals } from "@std/assert";
import type Stripe from "stripe";
import { captureOf, releaseOf } from "@/lib/auctions/operations.ts";
import { DAY_MS, delay, HOUR_MS } from "@/lib/clock.ts";
import { getPaymentFigures } from "@/lib/operator/payment_figures.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { repeatOperations, runOperations } from "@/lib/payments/operation_runner.ts";
import { type NewOperation, queueOperation, retryOperations } from "@/lib/payments/operations.ts";
import { expiryOf } from "@/lib/payments/performers.ts";
import type { Operation } from "@/lib/payments/schema.ts";
import { cancellationOf } from "@/lib/promotions/subscriptions.ts";
import { type PaidApp, paidApp } from "../support/payments.ts";

const release = releaseOf({ intentId: "pi_elsewhere", bidId: "bid_x" });

/** One operation of each kind that calls Stripe. */
const OPERATIONS: NewOperation[] = [
  release,
  captureOf("front-row-2026-11-23", { bidId: "bid_x", intentId: "pi_x" }),
  expiryOf({ id: "bid_x", sessionId: "cs_elsewhere" }),
  cancellationOf("sub_elsewhere"),
];

function queue(app: PaidApp, operations: NewOperation[]): Promise<string[]> {
  return app.deps.store.transact(async (tx) => {
    const ids: string[] = [];
    for (const operation of operations) {
      ids.push(await queueOperation(tx, operation));
    }
    return ids;
  });
}

async function left(app: PaidApp): Promise<number> {
  const all = await Array.fromAsync(app.deps.store.list({ prefix: paymentKeys.operations }));
  return all.length;
}

/** Runs the job every hour. */
async function runHours(app: PaidApp, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    app.clock.advance(HOUR_MS);
    await settlePayments(app.deps);
  }
}

for (const operation of OPERATIONS) {
  const { task } = operation;
  Deno.test(`${task.kind} of an unknown object is retried for a day, then given up and reported to the operator`, async () => {
    await using app = await paidApp();
    await queue(app, [operation]);
    await runHours(app, 24);
    let [stuck] = (await getPaymentFigures(app.deps)).stuckOperations;
    assertEquals([stuck?.kind, stuck?.needsAttention], [task.kind, false]);
    await runHours(app, 2);
    const figures = await getPaymentFigures(app.deps);
    [stuck] = figures.stuckOperations;
    assertEquals([stuck?.kind, stuck?.needsAttention], [task.kind, true]);
    assert(stuck!.lastError?.includes("resource_missing"));
    assertEquals(figures.alerts.length, 1);
    const asked = app.stripe.requests.length;
    assert(asked < 60, `asked ${asked} times in a day`);
    await runHours(app, 48);
    assertEquals(app.stripe.requests.length, asked, "given up, but still requested");
    assertEquals((await getPaymentFigures(app.deps)).alerts.length, 1);
  });
}

Deno.test("no operation is done until Stripe says that its object has ended", async () => {
  await using app = await paidApp();
  const stripe = app.deps.stripe!;
  const asked: string[] = [];
  const answers = (call: string, status: string) => () => {
    asked.push(call);
    return Promise.resolve({ status });
  };
  Object.assign(stripe.paymentIntents, {
    cancel: answers("release", "requires_capture"),
    capture: answers("capture", "processing"),
  });
  Object.assign(stripe.checkout.sessions, { expire: answers("expire_session", "open") });
  Object.assign(stripe.subscriptions, { cancel: answers("cancel_subscription", "active") });
  await queue(app, OPERATIONS);
  await runHours(app, 1);
  assertEquals(asked.toSorted(), OPERATIONS.map(({ task }) => task.kind).toSorted());
  assertEquals(await left(app), OPERATIONS.length);
});

Deno.test("operations that fail only because Stripe doesn't respond are retried for weeks", async () => {
  await using app = await paidApp();
  await queue(app, [release]);
  for (let day = 0; day < 14; day++) {
    app.clock.advance(DAY_MS);
    app.stripe.fail("http_500");
    app.stripe.fail("http_500");
    await settlePayments(app.deps);
  }
  const [stuck] = (await getPaymentFigures(app.deps)).stuckOperations;
  assertEquals([stuck?.failures, stuck?.needsAttention], [14, false]);
});

Deno.test("retryOperations makes the job retry what it gave up, successfully once the object exists", async () => {
  await using app = await paidApp();
  await queue(app, [release]);
  await runHours(app, 30);
  assertEquals(await left(app), 1);
  app.stripe.intents.set("pi_elsewhere", {
    id: "pi_elsewhere",
    object: "payment_intent",
    amount: 1061,
    amount_capturable: 1061,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "manual",
    created: app.stripe.now,
    currency: "usd",
    customer: null,
    latest_charge: null,
    livemode: false,
    metadata: {},
    payment_method_types: ["card"],
    status: "requires_capture",
  });
  await runHours(app, 1);
  assertEquals(await left(app), 1);
  assertEquals(await retryOperations(app.deps), 1);
  await settlePayments(app.deps);
  assertEquals(await left(app), 0);
  assertEquals(app.stripe.intents.get("pi_elsewhere")!.status, "canceled");
  await queue(app, [release]);
  assertEquals(await left(app), 0, "what is done isn't requested again");
});

Deno.test("retryOperations retries everything that waits, and the job caps an overlong wait", async () => {
  await using app = await paidApp();
  const releases = Array.from(
    { length: 120 },
    (_, i) => releaseOf({ intentId: `pi_${i}`, bidId: `bid_${100 + i}` }),
  );
  const ids = (await Promise.all(releases.map((one) => queue(app, [one])))).flat();
  const { kv } = app.deps.store;
  const key = paymentKeys.operation(ids.at(-1)!);
  const { value } = await kv.get<Operation>(key);
  await kv.atomic().set(key, { ...value, givenUpAt: 1 }).commit();
  assertEquals(await retryOperations(app.deps), 120);
  assertEquals((await kv.get<Operation>(key)).value!.givenUpAt, undefined);
  const waits = { ...value, notBefore: app.clock.now() + DAY_MS };
  await kv.atomic().set(key, waits).commit();
  await settlePayments(app.deps);
  assertEquals((await kv.get<Operation>(key)).value!.failures, 1);
});

Deno.test("runOperations leaves what would delay a request to the job, which runs money tasks first", async () => {
  await using app = await paidApp();
  const performed: string[] = [];
  const slow = (call: string, status: string) => async () => {
    performed.push(call);
    await delay(20);
    return { status };
  };
  const stripe = {
    paymentIntents: { cancel: slow("release", "canceled") },
    checkout: { sessions: { expire: slow("expire", "expired") } },
  } as unknown as Stripe;
  const deps = { ...app.deps, stripe };
  const expiries = Array.from(
    { length: 8 },
    (_, i) => expiryOf({ id: "bid_x", sessionId: `cs_${i}` }),
  );
  const ids = await queue(app, [...expiries, release]);
  await runOperations(deps, ids, 30);
  assert(performed.length < 8);
  performed.length = 0;
  await repeatOperations(deps);
  assertEquals(performed[0], "release");
  assertEquals(await left(app), 0);
});

Deno.test("a job stops after 40 seconds, and the next run starts with what has waited longest", async () => {
  await using app = await paidApp();
  const performed: string[] = [];
  const { now } = performance;
  let passed = 0;
  const stripe = {
    checkout: {
      sessions: {
        expire(id: string) {
          performed.push(id);
          passed += 15_000;
          return Promise.resolve({ status: "expired" });
        },
      },
    },
  } as unknown as Stripe;
  const ids = ["c", "e", "a", "d", "b"];
  for (const sessionId of ids) {
    await queue(app, [expiryOf({ id: "bid_x", sessionId })]);
    app.clock.advance(1_000);
  }
  performance.now = () => now.call(performance) + passed;
  try {
    await repeatOperations({ ...app.deps, stripe });
    assertEquals(performed, ids.slice(0, 3));
    await repeatOperations({ ...app.deps, stripe });
    assertEquals(performed, ids);
  } finally {
    performance.now = now;
  }
});
