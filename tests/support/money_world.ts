/**
 * A small simulated world for payments: bidders and buyers, Stripe, KV, and a service that can be
 * killed and restarted. All randomness comes from one seed.
 */
import { placeBid } from "@/lib/auctions/bids.ts";
import { comingPeriods, minNextBidCents } from "@/lib/auctions/calendar.ts";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import type { StoredAuction } from "@/lib/auctions/schema.ts";
import { TIERS } from "@/lib/catalog/tiers.ts";
import { DAY_MS, delay, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { DomainError } from "@/lib/errors.ts";
import type { StripeDeps } from "@/lib/payments/deps.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import type { OpenedCheckout } from "@/lib/payments/open_checkout.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import { orderPromotion } from "@/lib/promotions/orders.ts";
import { setSwitches } from "@/lib/switches.ts";
import { Killed } from "./crash.ts";
import { MoneyStage, type Process, SLUGS } from "./money_stage.ts";
import { seededRandom } from "./runs.ts";
import type { Fault } from "./stripe_double.ts";

const FAULTS: Fault[] = [
  "lost_before",
  "lost_after",
  "http_500",
  "http_500_after",
  "http_424",
  "http_429",
  "gateway_before",
  "gateway_after",
  "malformed_after",
  "no_url",
];
/** Errors that the service may return in this world; any other is a bug. */
const EXPECTED = new Set([
  "auction_not_open",
  "bad_edit_key",
  "bid_too_low",
  "busy",
  "invalid_input",
  "not_found",
  "payments_disabled",
  "rate_limited",
  "storage_unavailable",
  "stripe_error",
  "stripe_no_url",
]);

export class MoneyWorld extends MoneyStage {
  readonly random: () => number;
  /** Two processes of the service sharing the same KV and Stripe. */
  readonly #processes: Process[];
  /** How often a process was killed. */
  kills = 0;
  /** Where processes were killed, and how often, if requested: it takes a trace of each call. */
  readonly #deaths: Map<string, number> | undefined;
  /** The history, for failure reports. */
  readonly trace: string[] = [];
  /** Events that are lost for good. */
  readonly #dropped = new Set<string>();
  #clients = 0;

  /** Creates a world; its KV is in memory unless a file is given. `deaths` counts kills by line. */
  static async make(
    seed: number,
    { path = ":memory:", deaths }: { path?: string; deaths?: Map<string, number> } = {},
  ): Promise<MoneyWorld> {
    const world = new MoneyWorld(seed, await Deno.openKv(path), deaths);
    for (const slug of SLUGS) await world.setListing(slug);
    return world;
  }

  private constructor(readonly seed: number, kv: Deno.Kv, deaths?: Map<string, number>) {
    const random = seededRandom(seed);
    // At a random time of the week, so that openings, closings and new years are all covered.
    super(kv, Date.parse("2026-11-17T00:00:00Z") + Math.floor(random() * 6 * DAY_MS));
    this.random = random;
    this.#deaths = deaths;
    this.stripe.latency = async () => {
      if (this.chance(0.2)) await delay(0);
    };
    this.#processes = [this.#start(), this.#start()];
  }

  /** A random process, as for a real request. */
  get process(): Process {
    return this.pick(this.#processes);
  }

  get deps(): StripeDeps {
    return this.process.deps;
  }

  #start(): Process {
    const aheadMs = this.pick([0, 0, 0, -50_000, 120_000]);
    return this.start({ sited: this.#deaths !== undefined, aheadMs });
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** Runs one to three actions concurrently, some in progress when a process is killed. */
  async step(): Promise<void> {
    const { life } = this.pick(this.#processes);
    if (this.chance(0.5)) life.stepsLeft = 1 + Math.floor(this.random() * this.pick([6, 25]));
    if (this.chance(0.05)) {
      let left = 1;
      life.breaks = () => left-- > 0;
    }
    while (this.chance(0.15)) this.stripe.fail(this.pick(FAULTS));
    const count = this.chance(0.3) ? 3 : 1;
    await Promise.all(Array.from({ length: count }, () => this.#act()));
    this.stripe.faults.length = 0;
    for (const [i, process] of this.#processes.entries()) {
      process.life.stepsLeft = Infinity;
      process.life.breaks = () => false;
      if (!process.life.dead) continue;
      const point = process.life.points.at(-1)!;
      this.kills++;
      this.#deaths?.set(point, (this.#deaths.get(point) ?? 0) + 1);
      this.trace.push(`killed ${point}, started again`);
      this.#processes[i] = this.#start();
    }
  }

  async #act(): Promise<void> {
    const roll = this.random();
    if (roll < 0.22) await this.attempt("bid", () => this.#bid());
    else if (roll < 0.30) await this.attempt("order", () => this.#order());
    else if (roll < 0.52) this.#pay();
    else if (roll < 0.76) await this.#webhook();
    else if (roll < 0.84) this.#passTime();
    else if (roll < 0.92) {
      await this.attempt("tick", async () => {
        const { deps } = this;
        await settlePayments(deps);
      });
    } else if (roll < 0.96) await this.attempt("reconcile", () => reconcile(this.deps));
    else if (roll < 0.99) this.#renew();
    else if (this.chance(0.5)) {
      const slug = this.pick(SLUGS);
      if (this.chance(0.5)) await this.attempt("hide", () => this.hide(this.deps, slug));
      else await this.attempt("withdraw", () => this.withdraw(this.deps, slug));
    } else await this.#operate();
  }

  /** The operator restores a listing, or closes and opens payments. */
  async #operate(): Promise<void> {
    if (this.chance(0.7)) {
      const slug = this.pick(SLUGS);
      await this.setListing(slug);
      this.trace.push(`show ${slug}`);
      return;
    }
    const paymentsClosed = this.chance(0.5);
    await this.attempt("switch", () => setSwitches(this.deps.store, { paymentsClosed }));
  }

  /** Bids, orders, payments and time, with no webhooks. */
  async trade(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const roll = this.random();
      if (roll < 0.3) await this.attempt("bid", () => this.#bid());
      else if (roll < 0.5) await this.attempt("order", () => this.#order());
      else if (roll < 0.85) this.#pay();
      else if (roll < 0.95) this.#passTime();
      else this.#renew();
    }
  }

  /** Runs an action that may fail in ways visible to callers, or die. */
  async attempt(what: string, run: () => Promise<unknown>): Promise<void> {
    try {
      const result = await run();
      this.trace.push(`${what}: ${typeof result === "string" ? result.slice(-12) : "ok"}`);
    } catch (error) {
      if (error instanceof Killed || this.#processes.some(({ life }) => life.dead)) {
        this.trace.push(`${what}: killed`);
        return;
      }
      if (!(error instanceof DomainError) || !EXPECTED.has(error.code)) throw error;
      this.trace.push(`${what}: ${error.code}`);
    }
  }

  async #bid(): Promise<OpenedCheckout> {
    const now = this.clock.now();
    const dates = this.pick(comingPeriods(now, 1));
    const auction = await this.kv.get<StoredAuction>(auctionKeys.one(dates.id));
    const min = minNextBidCents(auction.value?.high?.amountCents ?? null);
    const amountCents = min + this.pick([-100, 0, 0, 0, 1, 500, 2_000]);
    const idempotencyKey = this.chance(0.3) ? `key-${Math.floor(this.random() * 3)}` : null;
    return await placeBid(this.deps, {
      auctionId: dates.id,
      slug: this.pick(SLUGS),
      amountCents,
      caller: { network: this.#network(), agentName: null },
      idempotencyKey,
    });
  }

  async #order(): Promise<OpenedCheckout> {
    const tier = this.pick(TIERS);
    return await orderPromotion(this.deps, {
      input: {
        slug: this.pick(SLUGS),
        tierId: tier.id,
        autoRenew: tier.autoRenew !== null && this.chance(0.6),
      },
      caller: { network: this.#network() },
      idempotencyKey: null,
    });
  }

  /** Limits have their own tests: nearly every request here uses a new network. */
  #network(): string {
    return `network-${this.chance(0.2) ? 0 : ++this.#clients}`;
  }

  #pay(): void {
    this.stripe.passTime();
    const open = [...this.stripe.sessions.values()].filter((session) => session.status === "open");
    if (open.length === 0) return;
    const session = this.pick(open);
    const delayed = session.metadata.kind === "promotion" &&
      this.chance(0.15) && this.pick(["processing", "requires_action"] as const);
    const paid = this.stripe.pay(session.id, { declined: this.chance(0.1), delayed });
    if (paid && delayed && this.chance(0.8)) this.stripe.settle(session.id, this.chance(0.8));
    this.trace.push(`pay ${session.id}: ${paid}`);
  }

  /** Delivers a due event, out of order, or a repeated one. */
  async #webhook(): Promise<void> {
    const waiting = this.stripe.undelivered().filter((event) => !this.#dropped.has(event.id));
    const pool = this.chance(0.15) ? this.stripe.events : waiting;
    if (pool.length === 0) return;
    const event = this.pick(pool);
    if (this.chance(0.12)) {
      this.#dropped.add(event.id);
      return;
    }
    await this.attempt(
      `event ${event.type}`,
      () => this.deliver(this.pick(this.#processes), event),
    );
  }

  #passTime(): void {
    const [next] = comingPeriods(this.clock.now(), 1);
    const toClose = next!.scheduledCloseAt - this.clock.now();
    const jump = this.pick([
      1_000,
      4 * MINUTE_MS,
      40 * MINUTE_MS,
      5 * HOUR_MS,
      26 * HOUR_MS,
      toClose > 0 ? toClose - 60_000 : HOUR_MS,
      toClose > 0 ? toClose : HOUR_MS,
    ]);
    if (jump > 0) this.clock.advance(jump);
    this.trace.push(`clock ${new Date(this.clock.now()).toISOString()}`);
    this.#timeHasPassed();
  }

  /** Sessions and holds expire, and so does a payment whose account isn't verified in ten days. */
  #timeHasPassed(): void {
    this.stripe.passTime();
    for (const { id, created, payment_intent } of this.stripe.sessions.values()) {
      const isAwaited = this.stripe.intents.get(payment_intent ?? "")?.status === "requires_action";
      if (isAwaited && this.clock.now() - created * 1000 > 10 * DAY_MS) {
        this.stripe.settle(id, false);
      }
    }
  }

  /** A period ends: Stripe bills the next one, and the card is charged or declined. */
  #renew(): void {
    const live = [...this.stripe.subscriptions.values()].filter((s) => s.status !== "canceled");
    if (live.length === 0) return;
    const subscription = this.pick(live);
    const unpaid = [...this.stripe.invoices.values()].filter(({ status }) => status === "open");
    const roll = this.random();
    if (roll < 0.15) this.stripe.cancelSubscription(subscription.id);
    else if (roll < 0.3) this.stripe.cancelLater(subscription.id, this.chance(0.8));
    else if (roll < 0.6 && unpaid.length > 0) this.stripe.collect(this.pick(unpaid).id);
    else {
      const end = subscription.items.data[0]!.current_period_end * 1000;
      if (this.clock.now() < end) this.clock.set(end);
      this.#timeHasPassed();
      this.stripe.renew(subscription.id, { fails: this.chance(0.2) });
    }
    this.trace.push(`renew ${subscription.id}: ${subscription.status}`);
  }

  /** A quiet period: no faults, time passes, jobs run. */
  settleDown(): Promise<void> {
    return this.settle(() => this.deps, () => this.chance(0.5));
  }
}
