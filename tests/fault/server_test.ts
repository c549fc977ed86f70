import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cp } from "node:fs/promises";
import { delay } from "@/lib/clock.ts";
import { statsKeys } from "@/lib/stats/keys.ts";
import { inFolder } from "../support/folder.ts";
import { freePort } from "../support/free_port.ts";
import { buildSite, removeBuild, runTask, startServer, taskArgs } from "../support/server.ts";
import { until } from "../support/until.ts";
import { votesOf } from "./votes_audit.ts";

Deno.test("SIGTERM finishes pending requests, writes the counters and exits with status 0", async () => {
  await inFolder(async (folder) => {
    await using server = await startServer({ folder });
    // Answered once the catalogue is loaded, so the log says that it was empty.
    await server.json("/api/v1/projects");
    const json = { name: "Stop", url: "https://stop.example.com", tagline: "x" };
    const { project: { slug } } = (await server.json("/api/v1/projects", { json })).body;
    for (let i = 0; i < 7; i++) await server.json("/api/v1/meta");
    // A slow body: its response is still pending when the signal arrives.
    let body!: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller;
      },
    });
    const slow = fetch(`${server.base}/api/v1/projects/${slug}/vote`, {
      method: "POST",
      body: stream,
    });
    await delay(100);
    const ended = server.kill("SIGTERM");
    await delay(100);
    // systemd signals the task and the server, and the task forwards its signal.
    server.kill("SIGTERM");
    body.enqueue(new TextEncoder().encode(" "));
    body.close();
    const answer = await slow;
    assertEquals([answer.status, (await answer.json()).votes], [200, 1]);
    assertEquals((await ended).code, 0, server.log());
    // An operator who set another path by mistake sees an empty directory in the log.
    const lines = server.log().trim().split("\n").map((line) => JSON.parse(line));
    const { kvPath } = lines.find(({ event }) => event === "listening");
    assertEquals(kvPath, `${folder}/kv.sqlite3`);
    const { listings } = lines.find(({ event }) => event === "loaded");
    assertEquals(listings, 0);
    assertEquals(server.log().match(/"stopp(ing|ed)"/g), ['"stopping"', '"stopped"']);
    using kv = await Deno.openKv(`${folder}/kv.sqlite3`);
    assertEquals((await votesOf(kv, slug)).count, 1);
    let counted = 0;
    for await (const { value } of kv.list<Deno.KvU64>({ prefix: statsKeys.allTraffic })) {
      counted += Number(value.value);
    }
    assert(counted >= 9, `${counted} requests are counted`);
  });
});

/** Starts the server where it can't start; returns its exit status and output. */
async function failStart(folder: string, env: Record<string, string>, ...args: string[]) {
  const { code, stderr } = await runTask("serve", {
    folder,
    args: args.length > 0 ? args : [await buildSite()],
    env: { PORT: String(freePort()), ...env },
  });
  return { code, said: stderr };
}

Deno.test("a junk database file stops startup with one clear line, and isn't modified", async () => {
  await inFolder(async (folder) => {
    const junk = "this is no database ".repeat(500);
    await Deno.writeTextFile(`${folder}/kv.sqlite3`, junk);
    const { code, said } = await failStart(folder, {});
    assertEquals(code, 1);
    assert(
      /^Bad setting: KV_PATH [^\n]+ cannot be opened: [^\n]+ damaged; [^\n]+\n$/.test(said),
      said,
    );
    assertEquals(await Deno.readTextFile(`${folder}/kv.sqlite3`), junk);
  });
});

Deno.test("a corrupt database file stops startup with one clear line", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    const kv = await Deno.openKv(path);
    for (let i = 0; i < 200; i++) await kv.set(["listings", `l${i}`], "x".repeat(1000));
    kv.close();
    const bytes = await Deno.readFile(path);
    bytes.fill(0xff, 8192, bytes.length - 4096);
    await Deno.writeFile(path, bytes);
    const { code, said } = await failStart(folder, {});
    assertEquals(code, 1);
    assert(/^Bad setting: [^\n]+ damaged; restore the latest backup\n$/.test(said), said);
    await Deno.remove(path);
    await Deno.mkdir(path);
    const ofFolder = await failStart(folder, {});
    assertEquals(ofFolder.code, 1);
    assert(
      /^Bad setting: [^\n]+; this user must be able to write the file, [^\n]+\n$/.test(
        ofFolder.said,
      ),
      ofFolder.said,
    );
  });
});

// What else parseEnv refuses, tests/env_test.ts tries without a process.
for (
  const [env, line] of [
    [{ PORT: "eighty" }, "PORT"],
    [{ KV_PATH: "/var/lib/kv.sqlite3" }, "cannot be opened: this task can only write to data/"],
    [{ HOST: "203.0.113.9" }, "can only bind 127.0.0.1, localhost or 0.0.0.0"],
  ] as [Record<string, string>, string][]
) {
  Deno.test(`a bad setting (${Object.keys(env)[0]}) stops startup with one clear line`, async () => {
    await inFolder(async (folder) => {
      const { code, said } = await failStart(folder, env);
      assertEquals(code, 1);
      assert(/^Bad setting: [^\n]+\n$/.test(said), said);
      assertStringIncludes(said, line);
    });
  });
}

Deno.test("an unreadable salt file stops startup with one clear line", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/hash_salt`);
    const { code, said } = await failStart(folder, {});
    assertEquals(code, 1);
    assert(/^Bad setting: HASH_SALT is not set, and [^\n]+hash_salt'\n$/.test(said), said);
  });
});

Deno.test("a missing or changed salt stops startup without --accept-new-salt, which health reports", async () => {
  await inFolder(async (folder) => {
    const health = async (...args: string[]) => {
      const build = await buildSite();
      const task = await taskArgs("serve", folder);
      await using server = await startServer({ folder, command: () => [...task, build, ...args] });
      // Answered once the catalogue is loaded. Until then, health is degraded.
      await server.json("/api/v1/projects");
      const { status, problems } = (await server.json("/api/v1/health")).body;
      await server.kill("SIGTERM");
      return [status, problems.filter((problem: string) => problem.includes("salt")).length];
    };
    assertEquals(await health(), ["ok", 0]);
    await Deno.remove(`${folder}/hash_salt`);
    const others: Record<string, string>[] = [{}, {
      HASH_SALT: "a salt of another machine, 32 or more",
    }];
    for (const env of others) {
      const { code, said } = await failStart(folder, env);
      assertEquals(code, 1);
      assert(/^Bad setting: [^\n]+--accept-new-salt[^\n]+\n$/.test(said), said);
    }
    assertEquals(await health("--accept-new-salt"), ["degraded", 1]);
    assertEquals(await health(), ["degraded", 1]);
  });
});

Deno.test("deleting or replacing the database file of a running server degrades its health", async () => {
  await inFolder(async (folder) => {
    await using server = await startServer({ folder });
    const file = `${folder}/kv.sqlite3`;
    const isTold = async () => {
      const { problems } = (await server.json("/api/v1/health")).body;
      return problems.join().includes("The database file was deleted or replaced");
    };
    const times = () => server.log().match(/"database_replaced"/g)?.length ?? 0;
    assertEquals([await isTold(), times()], [false, 0]);
    await Deno.link(file, `${folder}/first`);
    await Deno.copyFile(file, `${folder}/second`);
    await Deno.rename(`${folder}/second`, file);
    await until("health says that it was replaced", isTold);
    await Deno.rename(`${folder}/first`, file);
    await until("health no longer reports it", async () => !await isTold());
    assertEquals(times(), 1);
    await Deno.remove(file);
    await until("the log says that it was deleted", () => times() === 2);
  });
});

Deno.test("an unknown option stops startup with one clear line that names the valid one", async () => {
  await inFolder(async (folder) => {
    for (const option of ["--help", "--acept-new-salt", "-h"]) {
      const { code, said } = await failStart(folder, {}, await buildSite(), option);
      assertEquals(code, 1);
      const known = "The only one is --accept-new-salt. README.md lists the settings";
      assertEquals(said, `Unknown option ${option}. ${known}\n`);
    }
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

Deno.test("starting before the build fails with one clear line", async () => {
  await inFolder(async (folder) => {
    const { code, said } = await failStart(folder, {}, "./none");
    assertEquals(code, 1);
    assertEquals(said, "Nothing is built in ./none: run `deno task build` first\n");
  });
});

Deno.test("starting with the build of another release fails with one clear line", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/server.js`, 'import "./routes/gone.ts";');
    const { code, said } = await failStart(folder, {}, folder);
    assertEquals(code, 1);
    const gone = `file://${folder}/routes/gone.ts`;
    const advice = "run `deno task build` again";
    assertEquals(said, `${folder} is out of date (${gone} is gone): ${advice}\n`);
  });
});

Deno.test("a server works without the files of its build, which an update replaces", async () => {
  await inFolder(async (folder) => {
    const build = `${await buildSite()}-replaced`;
    await cp(await buildSite(), build, { recursive: true });
    const args = await taskArgs("serve", folder);
    await using server = await startServer({ folder, command: () => [...args, build] });
    await Deno.remove(build, { recursive: true });
    // Its module is only imported now, and so is the MCP server.
    assertEquals((await server.json("/.well-known/mcp.json")).status, 200);
  });
});

Deno.test("`deno task dev` serves on PORT", async () => {
  await inFolder(async (folder) => {
    await using server = await startServer({ folder, task: "dev" });
    const page = await (await fetch(server.base)).text();
    assertStringIncludes(page, "fresh-reload");
  });
});

Deno.test("a port that is in use stops startup with one clear line", async () => {
  await inFolder(async (folder) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { code, said } = await failStart(folder, { PORT: String(taken.addr.port) });
    assertEquals(code, 1);
    assert(/^Bad setting: HOST 127\.0\.0\.1 and PORT \d+ cannot be bound: .+\n$/.test(said), said);
  });
});

Deno.test("Deno's OpenTelemetry exports the service's traces and metrics", async () => {
  const received = new Set<string>();
  const collector = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (req) => {
      await req.arrayBuffer();
      received.add(new URL(req.url).pathname);
      return new Response();
    },
  );
  await inFolder(async (folder) => {
    await using server = await startServer({
      folder,
      env: {
        OTEL_DENO: "true",
        OTEL_SERVICE_NAME: "projectory",
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
        OTEL_METRIC_EXPORT_INTERVAL: "200",
        OTEL_BSP_SCHEDULE_DELAY: "200",
      },
    });
    await until("the collector has traces and metrics", async () => {
      await server.json("/api/v1/meta");
      return received.has("/v1/traces") && received.has("/v1/metrics");
    });
  });
  await collector.shutdown();
});

Deno.test.afterAll(removeBuild);
