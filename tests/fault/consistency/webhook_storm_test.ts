import { assert, assertEquals } from "@std/assert";
import { MINUTE_MS } from "@/lib/clock.ts";
import { DomainError } from "@/lib/errors.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { liveAndSettle, type MoneyTally } from "../../support/money_lives.ts";
import { checkAlways } from "../../support/money_rules.ts";
import { MoneyWorld } from "../../support/money_world.ts";
import { rounds, runSeed } from "../../support/runs.ts";
import type { StripeEvent } from "../../support/stripe/objects.ts";

/** How many deliveries are in progress at a time, and how often Stripe sends an event at most. */
const AT_ONCE = 8;
const MOST_TIMES = 5;
/** Trading days per seed; each ends with the webhooks of everything that happened. */
const DAYS = 3;

interface Tally extends MoneyTally {
  events: number;
  deliveries: number;
  /** Deliveries that the service asked to be repeated. */
  refused: number;
}

function shuffle<T>(items: T[], random: () => number): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}

/** Delivers each due event one to five times, in any order, eight at a time, until none is left. */
async function storm(world: MoneyWorld, tally: Tally): Promise<void> {
  const { random, stripe } = world;
  for (let round = 0; stripe.undelivered().length > 0; round++) {
    assert(round < 50, "Webhooks are refused for ever");
    const due = stripe.undelivered();
    tally.events += due.length;
    const queue = shuffle(
      due.flatMap((event) => Array<StripeEvent>(1 + Math.floor(random() * MOST_TIMES)).fill(event)),
      random,
    );
    const worker = async () => {
      for (let event = queue.pop(); event !== undefined; event = queue.pop()) {
        tally.deliveries++;
        try {
          await world.deliver(world.process, event);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          assert(["busy", "storage_unavailable", "stripe_error"].includes(error.code), error.code);
          tally.refused++;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
}

/** Webhooks alone grant everything that was paid, and every hold leads or is released. */
async function checkDelivered(world: MoneyWorld): Promise<void> {
  await checkAlways(world);
  const { kv, stripe } = world;
  const paid = [
    ...[...stripe.sessions.values()].filter((session) =>
      session.metadata.kind === "promotion" && session.mode === "payment" &&
      session.payment_status === "paid"
    ),
    ...[...stripe.invoices.values()].filter((invoice) => invoice.status === "paid"),
  ];
  const grants = await Array.fromAsync(kv.list({ prefix: promotionKeys.grants }));
  assertEquals(
    grants.map(({ key }) => key.at(-1)).sort(),
    paid.map(({ id }) => id).sort(),
    "invariant 20",
  );
  const held = [...stripe.intents.values()].filter((intent) =>
    intent.status === "requires_capture"
  );
  assert(held.length <= 2, "invariant 24: at most one hold leads an auction");
}

async function live(seed: number, tally: Tally): Promise<void> {
  await using world = await MoneyWorld.make(seed);
  await liveAndSettle(world, async () => {
    for (let day = 0; day < DAYS; day++) {
      await world.trade(15);
      await storm(world, tally);
      // The job repeats calls that collided at Stripe.
      world.clock.advance(MINUTE_MS);
      await settlePayments(world.deps);
      await storm(world, tally);
      await checkDelivered(world);
    }
  }, tally);
}

Deno.test("repeated, shuffled and concurrent webhooks each take effect once (invariants 20, 22, 24, 25)", async () => {
  const first = runSeed("webhook storm");
  const seeds = rounds(10, 1000);
  const tally: Tally = {
    events: 0,
    deliveries: 0,
    refused: 0,
    grants: 0,
    accepted: 0,
    captures: 0,
    releases: 0,
  };
  const happened = () => {
    const { refused: _, ...rest } = tally;
    return Object.entries(rest);
  };
  let seed = first;
  while (seed < first + seeds) await live(seed++, tally);
  // In one short run of twenty, nothing is captured.
  while (happened().some(([, count]) => count === 0) && seed < first + 5 * seeds) {
    await live(seed++, tally);
  }
  // deno-lint-ignore no-console -- what a long run proves is what happened in it
  console.log(seed - first, "seeds", tally);
  for (const [what, count] of happened()) {
    assert(count >= seeds / 20, `Only ${count} ${what}: the storm proves little`);
  }
});
