import { assert, assertEquals } from "@std/assert";
import { inFolder } from "../support/folder.ts";
import { rounds, runSeed, seededRandom } from "../support/runs.ts";
import { removeBuild, type ServerProcess, startServer } from "../support/server.ts";
import { assertConsistent, votesOf } from "./votes_audit.ts";

/** Runs tasks, at most `width` at a time. */
async function spread(n: number, width: number, task: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: Math.min(width, n) }, async () => {
    while (next < n) await task(next++);
  }));
}

async function withServer(
  run: (server: ServerProcess, file: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    await using server = await startServer({
      folder,
      env: { TRUSTED_PROXIES: "1", LOG_LEVEL: "warn" },
    });
    await run(server, `${folder}/kv.sqlite3`);
    assert(!/internal_error|storage_unavailable/.test(server.log()), server.log());
  });
}

const voter = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;

async function list(server: ServerProcess, name: string): Promise<string> {
  const json = { name, url: `https://${name}.example.com`, tagline: "x" };
  return (await server.json("/api/v1/projects", { json, address: "192.0.2.1" })).body.project.slug;
}

Deno.test("concurrent votes over HTTP by different voters all succeed and count exactly", async () => {
  await withServer(async (server, file) => {
    const total = rounds(1_000, 10_000);
    const slug = await list(server, "load");
    const startedAt = performance.now();
    const answers: number[] = [];
    await spread(total, total, async (i) => {
      const path = `/api/v1/projects/${slug}/vote`;
      const { status, body } = await server.json(path, { method: "POST", address: voter(i) });
      assertEquals([status, body.changed, body.voted], [200, true, true]);
      answers.push(body.votes);
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    assert(answers.every((votes) => votes >= 1 && votes <= total));
    const shown = await server.json(`/api/v1/projects/${slug}`);
    assertEquals(shown.body.project.votes, total);
    using kv = await Deno.openKv(file);
    assertEquals((await votesOf(kv, slug)).count, total);
    // deno-lint-ignore no-console -- the run's result
    console.log(`${total} votes in ${seconds.toFixed(1)} s, ${Math.round(total / seconds)}/s`);
  });
});

Deno.test("mixed votes and unvotes of 200 voters: the count always equals the stored set", async () => {
  await withServer(async (server, file) => {
    const seed = runSeed("votes and unvotes");
    const random = seededRandom(seed);
    const slug = await list(server, "mixed");
    const states = new Map<number, boolean>();
    const actions = new Map<number, number>();
    const pauses = 5;
    const each = rounds(200, 2_000);
    for (let pause = 0; pause < pauses; pause++) {
      // One voter's requests are sequential, so the last response is the voter's state.
      const chains = Array.from({ length: 200 }, () => [] as string[]);
      for (let i = 0; i < each; i++) {
        chains[Math.floor(random() * 200)]!.push(random() < 0.6 ? "POST" : "DELETE");
      }
      await Promise.all(chains.map(async (chain, id) => {
        for (const method of chain) {
          // 120 actions per network per hour: a voter switches networks in time.
          const n = (actions.get(id) ?? 0) + 1;
          actions.set(id, n);
          if (n > 110) return;
          const path = `/api/v1/projects/${slug}/vote`;
          const { status, body } = await server.json(path, { method, address: voter(id) });
          assertEquals([status, body.voted], [200, method === "POST"], `seed ${seed}`);
          states.set(id, body.voted);
        }
      }));
      const voted = [...states.values()].filter(Boolean).length;
      using kv = await Deno.openKv(file);
      const stored = await votesOf(kv, slug);
      assertEquals([stored.count, stored.voters.size], [voted, voted], `seed ${seed}`);
      const shown = await server.json(`/api/v1/projects/${slug}`);
      assertEquals(shown.body.project.votes, voted, `seed ${seed}`);
      await assertConsistent(kv, `seed ${seed}`);
    }
  });
});

Deno.test.afterAll(removeBuild);
