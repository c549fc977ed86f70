import { assertEquals } from "@std/assert";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import type { BidCheckout, StoredAuction } from "@/lib/auctions/schema.ts";
import { DomainError } from "@/lib/errors.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import type { Grant, PromotionCheckout } from "@/lib/promotions/schema.ts";
import type { PromotionBalance } from "@/lib/promotions/time.ts";
import { moneySites } from "../support/call_sites.ts";
import { Killed } from "../support/crash.ts";
import { type Play, PLAY_NOW, PLAYS } from "../support/money_plays.ts";
import { checkAlways, checkSettled } from "../support/money_rules.ts";
import { MoneyStage, SLUGS } from "../support/money_stage.ts";
import { allEnded, rounds, runSeed } from "../support/runs.ts";

/**
 * What happens at one point of a play. `repeated`: the process dies, and the caller retries.
 * `forgotten`: it dies, and nobody retries. `lost`: the connection breaks, the process lives.
 */
type Mishap = "repeated" | "forgotten" | "lost";

/** Errors that the service may return in a play. */
const EXPECTED = ["stripe_error", "stripe_no_url", "storage_unavailable", "not_found", "busy"];
/**
 * Also if a step was forgotten: a listing whose withdrawal never happened still leads, so the play's
 * next bid is too low.
 */
const EXPECTED_AFTER_FORGOTTEN = [...EXPECTED, "bid_too_low"];

/** Runs a play with a mishap at point `at`; returns the points and the outcome. */
async function perform(play: Play, at = Infinity, mishap: Mishap = "repeated") {
  await using stage = new MoneyStage(await Deno.openKv(":memory:"), PLAY_NOW);
  for (const slug of SLUGS) await stage.setListing(slug);
  let process = stage.start({ sited: true });
  const points = process.life.points;
  const allowed = mishap === "forgotten" ? EXPECTED_AFTER_FORGOTTEN : EXPECTED;
  if (mishap === "lost") process.life.breaks = () => points.length === at;
  else process.life.stepsLeft = at;
  for (const step of play.steps) {
    for (let again = true; again;) {
      const broken = mishap === "lost" && points.length < at;
      again = false;
      try {
        await step(stage, process);
      } catch (error) {
        const expected = error instanceof Killed ||
          error instanceof DomainError && allowed.includes(error.code);
        if (!expected) throw error;
      }
      if (process.life.dead) {
        process = stage.start({ sited: true });
        again = mishap === "repeated";
      } else if (broken && points.length >= at) again = true;
      if (again || process.life.points !== points) await checkAlways(stage);
    }
  }
  const played = points.length;
  await stage.settle(() => process.deps);
  await checkSettled(stage, play);
  return { points: points.slice(0, played), outcome: await outcomeOf(stage) };
}

/** The final state of the world, without the ids that differ between runs. */
async function outcomeOf({ kv, stripe }: MoneyStage) {
  const all = async <T>(prefix: Deno.KvKey) =>
    (await Array.fromAsync(kv.list<T>({ prefix }))).map(({ value }) => value);
  const sorted = (rows: unknown[][]) => rows.map((row) => row.join(" ")).sort();
  const balances = await kv.getMany<PromotionBalance[]>(
    SLUGS.map((slug) => promotionKeys.one(slug)),
  );
  return {
    grants: sorted(
      (await all<Grant>(promotionKeys.grants)).map((
        { slug, tierId, days },
      ) => [slug, tierId, days]),
    ),
    balances: balances.map(({ value }) => value),
    auctions: (await all<StoredAuction>(auctionKeys.all))
      .map(({ id, outcome, bids, high }) => [id, outcome, bids, high?.slug, high?.amountCents]),
    checkouts: sorted(
      (await all<BidCheckout | PromotionCheckout>(["checkouts"])).map((checkout) => [
        checkout.slug,
        checkout.amountCents,
        checkout.status,
        checkout.kind === "bid" ? `${checkout.state} ${checkout.hold}` : "",
      ]),
    ),
    holds: sorted(
      [...stripe.intents.values()].map(({ metadata, amount, status }) => [
        metadata.slug,
        amount,
        status,
      ]),
    ),
    renewals: sorted(
      [...stripe.subscriptions.values()].map(({ metadata, status }) => [metadata.slug, status]),
    ),
  };
}

Deno.test("crashing before or after any call to Stripe or commit changes no outcome (invariant 29)", async (t) => {
  const offset = runSeed("crash points");
  const hits = new Map<string, number>();
  let runs = 0;
  for (const play of PLAYS) {
    await t.step(play.name, async () => {
      const { points, outcome } = await perform(play);
      const trials: { at: number; mishap: Mishap }[] = [];
      for (let at = 1; at <= points.length; at++) {
        for (const mishap of ["repeated", "forgotten", "lost"] as const) {
          // The short form dies at each line once, and at some points again.
          const isNew = mishap === "repeated" && !hits.has(points[at - 1]!);
          if (!isNew && (at + offset) % rounds(61, 1) !== 0) continue;
          trials.push({ at, mishap });
          hits.set(points[at - 1]!, (hits.get(points[at - 1]!) ?? 0) + 1);
        }
      }
      runs += trials.length;
      const tryAll = async () => {
        for (let trial = trials.pop(); trial !== undefined; trial = trials.pop()) {
          const { at, mishap } = trial;
          try {
            const ended = await perform(play, at, mishap);
            assertEquals(ended.points[at - 1], points[at - 1]);
            if (mishap === "repeated") assertEquals(ended.outcome, outcome);
          } catch (cause) {
            const point = `${play.name}, point ${at}: ${points[at - 1]}`;
            throw new Error(`${mishap} at ${point}`, { cause });
          }
        }
      };
      // Two at a time: one runs while the other waits for its KV.
      await allEnded([tryAll(), tryAll()]);
    });
  }
  const sites = await moneySites();
  const missed = sites.flatMap((site) => [`before ${site}`, `after ${site}`])
    .filter((point) => !hits.has(point));
  assertEquals(missed, [], "points at which nothing died");
  // deno-lint-ignore no-console -- a run that met little proves little
  console.log(`${runs} deaths and losses at ${hits.size} points of ${sites.length} lines`);
});
