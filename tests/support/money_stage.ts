/**
 * The stage for money plays: KV, Stripe and a clock, on which processes of the service live and
 * die.
 */
import { bidKind } from "@/lib/auctions/payment_kind.ts";
import { CachedRead } from "@/lib/cache/cached_read.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { createEditKey } from "@/lib/entries/edit_key.ts";
import { parseEnv } from "@/lib/env.ts";
import type { Blocks } from "@/lib/http/blocks.ts";
import { createIdentity } from "@/lib/http/identity.ts";
import { SERVER_CHECKS_MAX } from "@/lib/kv/group_commit.ts";
import { Store } from "@/lib/kv/store.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { createLog } from "@/lib/log.ts";
import { withdrawEntry } from "@/lib/owners/withdrawal.ts";
import type { StripeDeps } from "@/lib/payments/deps.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { repeatOperations } from "@/lib/payments/operation_runner.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { receiveWebhook } from "@/lib/payments/webhook.ts";
import { promotionKind } from "@/lib/promotions/payment_kind.ts";
import { cancelRenewals } from "@/lib/promotions/subscriptions.ts";
import type { Switches } from "@/lib/switches.ts";
import { createUrls } from "@/lib/urls.ts";
import { SitedStore, sitedStripe, siteNow } from "./call_sites.ts";
import { Killed, Life, mortalKv } from "./crash.ts";
import { type FixedClock, fixedClock } from "./fixed_clock.ts";
import { TEST_SETTINGS } from "./settings.ts";
import type { StripeEvent } from "./stripe/objects.ts";
import { StripeDouble, TEST_KEY, TEST_SECRET } from "./stripe_double.ts";

export const SLUGS = ["alpha", "beta", "gamma", "delta"];
/** The edit key of every listing on the stage, and its hash. */
export const STAGE_KEY = createEditKey();

/** A process of the service, and its life. */
export interface Process {
  life: Life;
  deps: StripeDeps;
}

const env = parseEnv({
  ...TEST_SETTINGS,
  STRIPE_SECRET_KEY: TEST_KEY,
  STRIPE_WEBHOOK_SECRET: TEST_SECRET,
});

export class MoneyStage implements AsyncDisposable {
  readonly clock: FixedClock;
  readonly stripe: StripeDouble;
  /** Holds that someone captured in the Dashboard. */
  readonly capturedByHand = new Set<string>();
  /** The keys checked in commits that a KV server would refuse. */
  readonly overchecked = new Set<string>();

  constructor(readonly kv: Deno.Kv, now: number) {
    this.clock = fixedClock(now);
    this.stripe = new StripeDouble(() => this.clock.now());
  }

  /**
   * Starts a process. If `sited`, it records the line of each point it reaches; `aheadMs` is how
   * far its clock is ahead of the true time, which is Stripe's.
   */
  start({ sited = false, aheadMs = 0 } = {}): Process {
    const life = new Life();
    const clock = { now: () => this.clock.now() + aheadMs };
    const mortalFetch: typeof fetch = async (input, init) => {
      const site = siteNow("call");
      life.boundary(`before ${site}`);
      if (life.breaks()) throw new TypeError("connection to Stripe lost");
      const response = await this.stripe.fetch(input as Request, init);
      life.boundary(`after ${site}`);
      if (life.breaks()) throw new TypeError("connection to Stripe lost");
      return response;
    };
    const stripe = createStripe({ secretKey: TEST_KEY, fetch: mortalFetch });
    const store = new (sited ? SitedStore : Store)(
      mortalKv(this.kv, life, this.overchecked),
      clock,
      { checksMax: SERVER_CHECKS_MAX },
    );
    const deps = {
      env,
      clock,
      store,
      startedAt: clock.now(),
      identity: createIdentity(env.hashSalt!),
      blocks: new CachedRead<Blocks>({ maxAgeMs: 0 }),
      switches: new CachedRead<Switches>({ maxAgeMs: 0 }),
      urls: createUrls(env.baseUrl),
      log: createLog("silent"),
      stripe: sited ? sitedStripe(stripe) : stripe,
      paymentKinds: [bidKind, promotionKind],
    };
    return { life, deps };
  }

  async setListing(slug: string): Promise<void> {
    const { keyHash } = STAGE_KEY;
    await this.kv.set(listingKeys.one(slug), {
      slug,
      name: slug.toUpperCase(),
      url: `https://${slug}.example.com`,
      state: "live",
      keyHash,
    });
  }

  /** Hides a listing like an operator. */
  async hide(deps: StripeDeps, slug: string): Promise<void> {
    await deps.store.transact(async (tx) => {
      const { value } = await tx.get<StoredListing>(listingKeys.one(slug));
      tx.set(listingKeys.one(slug), { ...value, state: "hidden" });
      await cancelRenewals(tx, slug);
    });
    await repeatOperations(deps);
  }

  /** Withdraws a listing like its owner. */
  async withdraw(deps: StripeDeps, slug: string): Promise<void> {
    await withdrawEntry(deps, "listing", {
      slug,
      editKey: STAGE_KEY.editKey,
      // deno-lint-ignore no-explicit-any -- a withdrawal reads no more of a caller
      caller: { network: "owner" } as any,
    });
  }

  /** Passes an event to a process, like its webhook; it counts as delivered if that succeeded. */
  async deliver({ deps, life }: Process, event: StripeEvent): Promise<void> {
    const request = this.stripe.webhook(event);
    await receiveWebhook(deps, {
      body: new Uint8Array(await request.arrayBuffer()),
      signature: request.headers.get("stripe-signature"),
    });
    // A process that died in the work after the commit hasn't responded.
    if (life.dead) throw new Killed();
    this.stripe.delivered.add(event.id);
  }

  /** A quiet period: no faults, time passes, jobs run. Undelivered webhooks stay undelivered. */
  async settle(deps: () => StripeDeps, pays: () => boolean = () => true): Promise<void> {
    for (const session of this.stripe.sessions.values()) {
      if (session.status === "complete") this.stripe.settle(session.id, pays());
    }
    for (
      const wait of [3 * MINUTE_MS, HOUR_MS, HOUR_MS, 25 * HOUR_MS, 8 * DAY_MS, HOUR_MS, HOUR_MS]
    ) {
      this.clock.advance(wait);
      this.stripe.passTime();
      await settlePayments(deps());
      if (!await reconcile(deps())) throw new Error("Reconciliation failed without a fault");
      await settlePayments(deps());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kv.close();
    await Promise.resolve();
  }
}
