import { assert, assertEquals } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { DENOKV, startDenokv } from "../support/denokv.ts";
import { inFolder } from "../support/folder.ts";
import { rounds, runSeed, seededRandom } from "../support/runs.ts";
import { removeBuild, type ServerProcess, startServer } from "../support/server.ts";
import { remoteSettings } from "../support/settings.ts";
import { assertAcknowledged, Client, listFixed } from "./acknowledged.ts";

const CLIENTS = 12;

/** The longest a server may take, in ms, to accept writes again after its KV server is back. */
const RECOVERY_MAX = 5_000;

for (const victim of ["a server", "denokv"] as const) {
  Deno.test({
    name: `three servers on denokv (set DENOKV): kill -9 of ${victim} loses and duplicates nothing`,
    ignore: DENOKV === undefined,
    async fn() {
      const seed = runSeed(`denokv, ${victim}`);
      const random = seededRandom(seed);
      await inFolder(async (folder) => {
        await using kvServer = await startDenokv();
        const env = remoteSettings(kvServer, "error");
        const start = () => startServer({ folder, env, task: "serve:remote" });
        const servers = await Promise.all([start(), start(), start()]);
        await using stack = new AsyncDisposableStack();
        stack.defer(async () => {
          for (const server of servers) await server.kill();
        });
        const slugs = await listFixed(servers[0]!);
        const clients = Array.from({ length: CLIENTS }, (_, i) => new Client(i, random, true));
        const total = rounds(2, 30);
        for (let round = 0; round < total; round++) {
          const label = `seed ${seed}, round ${round}`;
          const stopping = new AbortController();
          const running = Promise.all(
            clients.map((client, i) =>
              client.run(servers[i % 3]!, { slugs, round, signal: stopping.signal })
            ),
          );
          await delay(200 + random() * 400);
          if (victim === "a server") await servers[round % 3]!.kill();
          else {
            await kvServer.kill();
            // Sometimes longer than any request waits, so that some fail.
            await delay(round % 5 === 4 ? 25_000 : random() * 1_500);
            await kvServer.restart();
            await assertRecovers(servers[0]!);
          }
          await delay(300);
          stopping.abort();
          await running;
          Deno.env.set("DENO_KV_ACCESS_TOKEN", kvServer.token);
          using kv = await Deno.openKv(kvServer.url);
          await assertAcknowledged(kv, { clients, slugs, label });
          for (const server of servers) assert(!/internal_error/.test(server.log()), server.log());
          if (victim === "a server") servers[round % 3] = await start();
        }
        const sum = (of: "acknowledged" | "refused") =>
          clients.reduce((all, client) => all + client[of], 0);
        assert(sum("acknowledged") > total * 10, `${sum("acknowledged")} acknowledged`);
        if (victim === "a server") assertEquals(sum("refused"), 0);
        // deno-lint-ignore no-console -- the run's results
        console.log(
          `denokv, ${victim}: ${total} rounds, ${sum("acknowledged")} acknowledged, ` +
            `${sum("refused")} answered 503`,
        );
      });
    },
  });
}

/** Asserts that writes are accepted again soon. */
async function assertRecovers(server: ServerProcess): Promise<void> {
  const giveUpAt = performance.now() + RECOVERY_MAX;
  for (;;) {
    const sent = { method: "POST", address: "192.0.2.200" };
    const { status } = await server.json("/api/v1/projects/fixed-0/vote", sent);
    if (status === 200 || status === 429) return;
    assert(performance.now() < giveUpAt, "writes are still refused");
    await delay(50);
  }
}

Deno.test.afterAll(removeBuild);
