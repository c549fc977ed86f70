/**
 * A process that sells and takes bids until it is killed: `money_worker.ts <kv file> <url of the
 * double> <now, ms> <seed>`.
 */
import { placeBid } from "@/lib/auctions/bids.ts";
import { comingPeriods, minNextBidCents } from "@/lib/auctions/calendar.ts";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import { bidKind } from "@/lib/auctions/payment_kind.ts";
import type { StoredAuction } from "@/lib/auctions/schema.ts";
import { CachedRead } from "@/lib/cache/cached_read.ts";
import { TIERS } from "@/lib/catalog/tiers.ts";
import { parseEnv } from "@/lib/env.ts";
import { DomainError } from "@/lib/errors.ts";
import type { Blocks } from "@/lib/http/blocks.ts";
import { createIdentity } from "@/lib/http/identity.ts";
import { Store } from "@/lib/kv/store.ts";
import { createLog } from "@/lib/log.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { receiveWebhook } from "@/lib/payments/webhook.ts";
import { orderPromotion } from "@/lib/promotions/orders.ts";
import { promotionKind } from "@/lib/promotions/payment_kind.ts";
import type { Switches } from "@/lib/switches.ts";
import { createUrls } from "@/lib/urls.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { SLUGS } from "../support/money_stage.ts";
import { seededRandom } from "../support/runs.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { TEST_KEY, TEST_SECRET } from "../support/stripe_double.ts";

const [file = "", stripeUrl = "", now = "", seed = ""] = Deno.args;
const env = parseEnv({
  ...TEST_SETTINGS,
  STRIPE_SECRET_KEY: TEST_KEY,
  STRIPE_WEBHOOK_SECRET: TEST_SECRET,
});
const clock = fixedClock(Number(now));
const random = seededRandom(Number(seed));
const deps = {
  env,
  clock,
  store: new Store(await Deno.openKv(file), clock),
  startedAt: clock.now(),
  identity: createIdentity(env.hashSalt!),
  blocks: new CachedRead<Blocks>({ maxAgeMs: 0 }),
  switches: new CachedRead<Switches>({ maxAgeMs: 0 }),
  urls: createUrls(env.baseUrl),
  log: createLog("silent"),
  stripe: createStripe({ secretKey: TEST_KEY, apiUrl: stripeUrl }),
  paymentKinds: [bidKind, promotionKind],
};
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const caller = () => ({ network: crypto.randomUUID(), agentName: null });

async function bid(): Promise<void> {
  const [dates] = comingPeriods(clock.now(), 1);
  const { value } = await deps.store.get<StoredAuction>(auctionKeys.one(dates!.id));
  const amountCents = minNextBidCents(value?.high?.amountCents ?? null) + pick([0, 0, 500]);
  const slug = pick(SLUGS);
  const bid = { auctionId: dates!.id, slug, amountCents, caller: caller(), idempotencyKey: null };
  await placeBid(deps, bid);
}

async function order(): Promise<void> {
  const tier = pick(TIERS);
  const autoRenew = tier.autoRenew !== null && random() < 0.5;
  const input = { slug: pick(SLUGS), tierId: tier.id, autoRenew };
  await orderPromotion(deps, { input, caller: caller(), idempotencyKey: null });
}

/** Processes what the double would deliver. */
async function webhooks(): Promise<void> {
  const response = await fetch(`${stripeUrl}/events-to-deliver`);
  for (const { id, body, signature } of await response.json()) {
    await receiveWebhook(deps, { body: new TextEncoder().encode(body), signature });
    await fetch(`${stripeUrl}/events-to-deliver`, { method: "POST", body: id });
  }
}

async function tick(): Promise<void> {
  await settlePayments(deps);
  if (random() < 0.2) await reconcile(deps);
}

for (;;) {
  try {
    await pick([bid, bid, order, webhooks, webhooks, tick])();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
