import { assert, assertEquals } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { rounds, runSeed, seededRandom } from "../support/runs.ts";
import { removeBuild, startServer } from "../support/server.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { assertAcknowledged, Client, listFixed } from "./acknowledged.ts";

const CLIENTS = 12;

Deno.test("kill -9 during mixed writes loses and duplicates no acknowledged write (invariant 4)", async () => {
  const seed = runSeed("kill -9");
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  const total = rounds(5, 200);
  let acknowledged = 0;
  try {
    const clients = Array.from({ length: CLIENTS }, (_, i) => new Client(i, random));
    const slugs: string[] = [];
    for (let round = 0; round < total; round++) {
      const label = `seed ${seed}, round ${round}`;
      await using server = await startServer({
        folder,
        env: { TRUSTED_PROXIES: "1", LOG_LEVEL: "error", HASH_SALT: TEST_SETTINGS.HASH_SALT },
      });
      if (slugs.length === 0) slugs.push(...await listFixed(server));
      const running = Promise.all(clients.map((client) => client.run(server, { slugs, round })));
      const goal = acknowledged + 10 + random() * 60;
      for (let waits = 0; acknowledgedBy(clients) < goal; waits++) {
        assert(waits < 60_000, `${label}: the server acknowledges no more`);
        await delay(1);
      }
      await server.kill();
      await running;
      assertEquals(server.log(), "", label);

      const kv = await Deno.openKv(`${folder}/kv.sqlite3`);
      try {
        await assertAcknowledged(kv, { clients, slugs, label });
      } finally {
        kv.close();
      }
      acknowledged = acknowledgedBy(clients);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
    await removeBuild();
  }
  // deno-lint-ignore no-console -- the run's result
  console.log(`kill -9: ${total} rounds, ${acknowledged} acknowledged answers`);
});

function acknowledgedBy(clients: readonly Client[]): number {
  return clients.reduce((sum, client) => sum + client.acknowledged, 0);
}
