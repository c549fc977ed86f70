import { assert } from "@std/assert";
import { fileURLToPath } from "node:url";
import { delay, HOUR_MS } from "@/lib/clock.ts";
import { checkAlways, checkSettled } from "../support/money_rules.ts";
import { MoneyWorld } from "../support/money_world.ts";
import { seededRandom } from "../support/runs.ts";

const KILLS = 12;

/** Serves the double over HTTP; most sessions are paid as soon as they are created. */
function serveStripe(world: MoneyWorld, random: () => number) {
  const { stripe } = world;
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (req) => {
    if (new URL(req.url).pathname === "/events-to-deliver") {
      if (req.method === "POST") {
        stripe.delivered.add(await req.text());
        return new Response();
      }
      const events = stripe.undelivered().slice(0, 5).map(async (event) => {
        const request = stripe.webhook(event);
        const signature = request.headers.get("stripe-signature");
        return { id: event.id, body: await request.text(), signature };
      });
      return Response.json(await Promise.all(events));
    }
    const known = stripe.sessions.size;
    const response = await stripe.handle(req);
    const session = [...stripe.sessions.values()].at(-1);
    if (stripe.sessions.size > known && random() < 0.8) stripe.pay(session!.id);
    return response;
  });
}

Deno.test("killing a selling process with SIGKILL repeatedly loses and duplicates no money", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/kv.sqlite3`;
  const random = seededRandom(Date.now());
  const world = await MoneyWorld.make(1, { path: file });
  const server = serveStripe(world, random);
  try {
    world.clock.set(Date.parse("2026-11-18T00:00:00Z"));
    for (let round = 0; round < KILLS; round++) {
      const worker = new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--allow-all",
          "--unstable-kv",
          "--no-check",
          fileURLToPath(new URL("./money_worker.ts", import.meta.url)),
          file,
          `http://127.0.0.1:${server.addr.port}`,
          String(world.clock.now()),
          String(Math.floor(random() * 1e9)),
        ],
        stdout: "null",
        stderr: "inherit",
      }).spawn();
      // Killed after a number of requests, not after a time, so a busy machine doesn't weaken the
      // test.
      const killAt = world.stripe.requests.length + 5 + Math.floor(random() * 25);
      for (let waited = 0; world.stripe.requests.length < killAt; waited++) {
        assert(waited < 30_000, "The worker did not get to work");
        await delay(1);
      }
      await delay(random() * 20);
      worker.kill("SIGKILL");
      await worker.status;
      await checkAlways(world);
      world.clock.advance(9 * HOUR_MS);
    }
    await world.settleDown();
    const { grants, accepted } = await checkSettled(world);
    assert(grants > 0 && accepted > 0, `Only ${grants} grants and ${accepted} accepted bids`);
  } finally {
    await server.shutdown();
    world.kv.close();
    await Deno.remove(folder, { recursive: true });
  }
});
