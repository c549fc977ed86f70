import { assert, assertEquals } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { createDeps } from "@/lib/app/deps.ts";
import { MINUTE_MS } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { createFetcher, type Fetcher } from "@/lib/fetching/fetcher.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { createLog } from "@/lib/log.ts";
import { webhookSecret } from "@/lib/notices/channels.ts";
import { deliverNotices } from "@/lib/notices/delivery.ts";
import { noticeKeys } from "@/lib/notices/keys.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { Killed, Life, mortalKv } from "../support/crash.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { PostOffice } from "../support/post_office.ts";
import { rounds } from "../support/runs.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { storedListing } from "../support/stored_listing.ts";

const log = createLog("silent");
const NOW = Date.parse("2026-03-04T12:00:00Z");

/**
 * A fetcher as one process sees it: the process can die before the request or before the response.
 */
function mortalFetcher(fetcher: Fetcher, life: Life, underWay: Set<Promise<unknown>>): Fetcher {
  const mortal = <A, T>(what: string, ask: (asked: A) => Promise<T>) => async (asked: A) => {
    life.boundary(`before ${what}`);
    const answer = ask(asked);
    underWay.add(answer);
    const result = await answer;
    life.boundary(`after ${what}`);
    return result;
  };
  return { ...fetcher, post: mortal("webhook", fetcher.post), mail: mortal("mail", fetcher.mail) };
}

/** Hides a listing and notifies its owner, while processes die after the given numbers of steps. */
async function perform(office: PostOffice, hooks: Map<string, string>[], deaths: number[]) {
  const env = parseEnv({ ...TEST_SETTINGS, ...office.env });
  const clock = fixedClock(NOW);
  using kv = await Deno.openKv(":memory:");
  const listing = storedListing("inkwell", {
    contactEmail: "ada@inkwell.test",
    notifyUrl: "http://hooks.test/",
  });
  await kv.set(listingKeys.one(listing.slug), listing);
  const underWay = new Set<Promise<unknown>>();
  const lives: Life[] = [];
  const start = () => {
    const life = new Life();
    life.stepsLeft = deaths[lives.length] ?? Infinity;
    lives.push(life);
    const deps = createDeps(env, { kv: mortalKv(kv, life), salt: env.hashSalt!, clock, log });
    const fetcher = createFetcher(env, { urls: deps.urls, log })!;
    deps.fetcher = mortalFetcher(fetcher, life, underWay);
    return { life, deps };
  };
  let process = start();
  const steps = [
    () => moveListing(process.deps, { slug: listing.slug, step: "hide", reason: "spam" }),
    ...Array.from({ length: 4 }, () => () => deliverNotices(process.deps)),
  ];
  for (const step of steps) {
    for (let again = true; again;) {
      again = false;
      try {
        await step();
      } catch (error) {
        if (!(error instanceof Killed) && !process.life.dead) throw error;
      }
      if (process.life.dead) {
        await Promise.allSettled(underWay);
        process = start();
        again = true;
      }
      clock.advance(3 * MINUTE_MS);
    }
  }
  assertEquals(await Array.fromAsync(kv.list({ prefix: noticeKeys.all })), []);
  const mails = office.mails.splice(0);
  const posts = hooks.splice(0);
  const ids = new Set(mails.map((mail) => mail.header("Message-ID")));
  assertEquals([ids.size, new Set(posts.map((post) => post.get("webhook-id"))).size], [1, 1]);
  const secret = new Webhook(webhookSecret(process.deps.identity, listing));
  for (const post of posts) {
    const at = new Date(Number(post.get("webhook-timestamp")) * 1_000);
    const signed = secret.sign(post.get("webhook-id")!, at, post.get("body")!);
    assertEquals(post.get("webhook-signature"), signed);
  }
  return { sent: [mails.length, posts.length], points: lives.map(({ points }) => points) };
}

Deno.test("a hidden listing sends one email and one signed webhook, whenever processes die", async () => {
  await using office = await PostOffice.open();
  const hooks: Map<string, string>[] = [];
  office.web.serve("hooks.test", async (req) => {
    hooks.push(new Map([...req.headers, ["body", await req.text()]]));
    return new Response();
  });
  const { sent, points: [whole] } = await perform(office, hooks, []);
  assertEquals(sent, [1, 1]);
  let kills = 0;
  let repeats = 0;
  for (let first = 1; first <= whole!.length; first++) {
    const { points: [, rest] } = await perform(office, hooks, [first]);
    kills++;
    for (let second = 1; second <= rest!.length; second += rounds(5, 1)) {
      const { sent, points } = await perform(office, hooks, [first, second]);
      kills += 2;
      const lost = points.slice(0, 2).filter((life) =>
        life.some((at) => /^before (mail|webhook)/.test(at))
      );
      // An id repeats only if a process died after it started sending.
      assert(
        sent.every((count) => count >= 1 && count <= 1 + lost.length),
        `${sent} ${first} ${second}`,
      );
      repeats += sent[0]! + sent[1]! - 2;
    }
  }
  assert(kills >= rounds(50, 200), `${kills} kills`);
  assert(repeats > 0, "no process died between acceptance and our record");
  // deno-lint-ignore no-console -- a run that met little proves little
  console.log(`${kills} kills, ${repeats} repeats under the same id`);
});
