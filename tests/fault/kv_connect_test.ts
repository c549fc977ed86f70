import { assert, assertEquals } from "@std/assert";
import { runBackupCli } from "@/lib/backup/cli.ts";
import { backup, restore } from "@/lib/backup/copy.ts";
import { systemClock } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { Store } from "@/lib/kv/store.ts";
import { DENOKV, startDenokv } from "../support/denokv.ts";
import { inFolder } from "../support/folder.ts";
import { type KvServer, startKvServer } from "../support/kv_connect.ts";
import { removeBuild, runTask, type ServerProcess, startServer } from "../support/server.ts";
import { remoteSettings, TEST_SETTINGS } from "../support/settings.ts";
import { until } from "../support/until.ts";
import { assertConsistent, votesOf } from "./votes_audit.ts";

/**
 * Where the whole-server tests run: always on our own server, and on a real one if `DENOKV` names
 * it.
 */
const KV_SERVERS: Record<string, () => Promise<Pick<KvServer, "url" | "token"> & AsyncDisposable>> =
  {
    "a server of the protocol": () => Promise.resolve(startKvServer()),
    ...(DENOKV === undefined ? {} : { denokv: startDenokv }),
  };

async function openKv(server: Pick<KvServer, "url" | "token">): Promise<Deno.Kv> {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  return await Deno.openKv(server.url);
}

for (const fault of ["after", "before"] as const) {
  Deno.test(`over KV Connect, a write whose response is lost (${fault} it took effect) takes effect once`, async () => {
    await using server = startKvServer();
    using kv = await openKv(server);
    const store = new Store(kv, systemClock);
    for (const logged of [true, false]) {
      let runs = 0;
      server.faults.push(fault);
      await store.transact((tx) => {
        runs++;
        tx.sum(["counter", logged], 1n);
        if (logged) tx.pulse({ kind: "vote", slug: "a", delta: 1 });
      });
      assertEquals(runs, 1);
      assertEquals((await kv.get<Deno.KvU64>(["counter", logged])).value!.value, 1n);
    }
  });
}

/** A server's warnings, except slowness: a KV server's commit speed depends on its machine. */
function troubles(server: ServerProcess): string[] {
  const lines = server.log().split("\n");
  return lines.filter((line) => line !== "" && !line.includes('"event":"slow_request"'));
}

for (const [name, startKv] of Object.entries(KV_SERVERS)) {
  Deno.test(`two servers share ${name} over KV Connect: exact counts, each other's writes, backups`, async () => {
    await inFolder(async (folder) => {
      await using kvServer = await startKv();
      const env = remoteSettings(kvServer, "warn");
      const start = () => startServer({ folder, env, task: "serve:remote" });
      await using one = await start();
      await using two = await start();
      const created = await one.json("/api/v1/projects", {
        json: { name: "Shared", url: "https://shared.example.com", tagline: "x" },
      });
      assertEquals(created.status, 201);
      const shows = (server: ServerProcess, total: number) =>
        until(`a total of ${total}`, async () => {
          return (await server.json("/api/v1/projects")).body.total === total;
        });
      await shows(two, 1);

      const path = "/api/v1/projects/shared/vote";
      const answers = await Promise.all(
        Array.from(
          { length: 120 },
          (_, i) =>
            (i % 2 === 0 ? one : two).json(path, { method: "POST", address: `10.2.0.${i % 60}` }),
        ),
      );
      assertEquals(answers.filter(({ status }) => status !== 200), []);
      assertEquals(answers.filter(({ body }) => body.changed).length, 60);
      const duplicates = await Promise.all(
        [one, two].map((server, i) =>
          server.json("/api/v1/projects", {
            address: `10.3.0.${i}`,
            json: { name: "Again", url: "https://www.shared.example.com/", tagline: "x" },
          })
        ),
      );
      assertEquals(duplicates.map(({ status }) => status), [409, 409]);

      // Of all requests, a withdrawal checks the most keys in one commit.
      const gone = { name: "Gone", url: "https://gone.example.com", tagline: "x" };
      const { editKey } = (await one.json("/api/v1/projects", { json: gone })).body;
      const withdrawn = await two.json("/api/v1/projects/gone", { method: "DELETE", editKey });
      assertEquals(withdrawn.status, 200);
      await shows(one, 1);

      const args = ["listings", "hide", "shared"];
      const { code, stderr } = await runTask("operator", { folder, args, env });
      assertEquals(code, 0, stderr);
      await shows(one, 0);
      await shows(two, 0);
      assertEquals([one, two].flatMap(troubles), []);

      using kv = await openKv(kvServer);
      await assertConsistent(kv);
      assertEquals((await votesOf(kv, "shared")).count, 60);
      const settings = parseEnv({ ...TEST_SETTINGS, KV_PATH: kvServer.url });
      await Promise.all([one.kill("SIGTERM"), two.kill("SIGTERM")]);
      const lines: string[] = [];
      assertEquals(
        await runBackupCli(["backup", `${folder}/copy`], {
          env: settings,
          progress: (line) => lines.push(line),
        }),
        0,
        lines.join("\n"),
      );
      await using empty = await startKv();
      Deno.env.set("DENO_KV_ACCESS_TOKEN", empty.token);
      await restore(parseEnv({ ...TEST_SETTINGS, KV_PATH: empty.url }), `${folder}/copy`, () => {});
      using restored = await openKv(empty);
      await assertConsistent(restored);
      assertEquals((await votesOf(restored, "shared")).count, 60);
      await backup(parseEnv({ ...TEST_SETTINGS, KV_PATH: empty.url }), `${folder}/again`, () => {});
    });
  });
}

Deno.test("SIGTERM ends a server even if its KV server is gone", async () => {
  await inFolder(async (folder) => {
    const kvServer = startKvServer();
    const env = remoteSettings(kvServer, "warn");
    await using server = await startServer({ folder, env, task: "serve:remote" });
    await kvServer[Symbol.asyncDispose]();
    await server.json("/api/v1/meta");
    const startedAt = performance.now();
    assertEquals((await server.kill("SIGTERM")).code, 1);
    const seconds = (performance.now() - startedAt) / 1000;
    assert(seconds < 30, `${seconds} s`);
  });
});

Deno.test.afterAll(removeBuild);
