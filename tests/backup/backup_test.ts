import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runBackupCli } from "@/lib/backup/cli.ts";
import { backup, copyAll, copySettled, restore } from "@/lib/backup/copy.ts";
import { DAY_MS, delay, MINUTE_MS, systemClock } from "@/lib/clock.ts";
import { BackupError, withBackup } from "@/lib/database_file.ts";
import { dumpKeys } from "@/lib/dump/keys.ts";
import { parseEnv } from "@/lib/env.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { openKv } from "@/lib/kv/open.ts";
import { counterValue, Store } from "@/lib/kv/store.ts";
import { SCHEMA_VERSION } from "@/lib/migrations.ts";
import type { JobRun } from "@/lib/operator/jobs.ts";
import { snapshotKeys } from "@/lib/read_model/keys.ts";
import { assertConsistent, votesOf } from "../fault/votes_audit.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { inFolder } from "../support/folder.ts";
import { startKvServer, TOKEN } from "../support/kv_connect.ts";
import { kvWith } from "../support/kv_with.ts";
import { rounds, runSeed, seededRandom } from "../support/runs.ts";
import { runTask, taskArgs } from "../support/server.ts";
import { TEST_SETTINGS } from "../support/settings.ts";

const root = new URL("../../", import.meta.url);
const quiet = () => {};
const envAt = (path: string) => parseEnv({ ...TEST_SETTINGS, KV_PATH: path });

/** Opens a database as if a server of this version had used it. */
async function usedKv(path: string): Promise<Deno.Kv> {
  const kv = await Deno.openKv(path);
  await kv.set(storeKeys.schemaVersion, SCHEMA_VERSION);
  return kv;
}

Deno.test("a copy keeps every type of key and value, and leaves out snapshots and dumps", async () => {
  using source = await Deno.openKv(":memory:");
  using target = await Deno.openKv(":memory:");
  const values: unknown[] = [
    new Deno.KvU64(2n ** 63n),
    2n ** 70n,
    new Date(5),
    new Map([["a", new Set([1])]]),
    new Uint8Array([0, 255]),
    { nested: [undefined, NaN, -0, null] },
    "text with \u0000 and 🦕",
    /x/g,
  ];
  for (const [i, value] of values.entries()) await source.set(["v", i, true, 3n], value);
  await source.set([new Uint8Array([1, 2])], 1);
  for (let i = 0; i < 450; i++) await source.set(["many", i], "x".repeat(2_000));
  // A snapshot can be newer than the records that were copied before it.
  for (
    const key of [
      ...[snapshotKeys.meta, snapshotKeys.claim, snapshotKeys.chunk("v", "listing", 0)],
      ...[dumpKeys.dumps, dumpKeys.claim, dumpKeys.chunk("v", 0)],
    ]
  ) {
    await source.set(key, 1);
  }
  await copyAll(source, target, quiet);
  const copied = await Array.fromAsync(target.list({ prefix: [] }));
  assertEquals(copied.length, values.length + 451);
  for (const [i, value] of values.entries()) {
    assertEquals((await target.get(["v", i, true, 3n])).value, value);
  }
  await target.atomic().sum(["v", 0, true, 3n], 1n).commit();
  assertEquals((await target.get<Deno.KvU64>(["v", 0, true, 3n])).value!.value, 2n ** 63n + 1n);
  assertEquals((await Array.fromAsync(target.list({ prefix: ["many"] }))).length, 450);
});

Deno.test("backups under load contain every write acknowledged before, verify and restore", async () => {
  for (let round = 0; round < rounds(1, 17); round++) {
    await inFolder(async (folder) => {
      const path = `${folder}/kv.sqlite3`;
      (await usedKv(path)).close();
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--quiet",
          "--no-check",
          "-A",
          fileURLToPath(new URL("tests/fault/worker.ts", root)),
          "0",
        ],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const input = child.stdin.getWriter();
      await input.write(new TextEncoder().encode(`${JSON.stringify([path, "stream"])}\n\n`));
      await input.close();
      const lines: { slug: string; at: number }[] = [];
      let begin!: () => void;
      const begun = new Promise<void>((resolve) => begin = resolve);
      const reading = (async () => {
        for await (const line of createInterface(Readable.from(child.stdout))) {
          if (line === "ready" || line === "done") continue;
          lines.push(JSON.parse(line));
          if (lines.length === 5) begin();
        }
      })();
      await begun;
      const taken: { file: string; startedAt: number }[] = [];
      for (let i = 0; i < 3; i++) {
        const file = `${folder}/backup${i}`;
        taken.push({ file, startedAt: Date.now() });
        const said: string[] = [];
        const status = await runBackupCli(["backup", file], {
          env: envAt(path),
          progress: (line) => said.push(line),
        });
        assertEquals([status, said.at(-1)], [0, "Verified: all counters and indexes are correct"]);
        await delay(250);
      }
      await reading;
      assertEquals((await child.status).code, 0);
      assert(lines.length > 20, `${lines.length} writes`);
      assert(taken.some(({ startedAt }) => lines.some((line) => line.at > startedAt)));
      for (const { file, startedAt } of taken) {
        const place = `${folder}/restored${startedAt}/kv.sqlite3`;
        await restore(envAt(place), file, quiet);
        using kv = await Deno.openKv(place);
        const listings = await assertConsistent(kv, file);
        for (const { slug, at } of lines) {
          if (at >= startedAt) continue;
          assert(listings.has(slug), `${slug} was acknowledged before ${file}`);
          assertEquals((await votesOf(kv, slug)).count, 1);
        }
        // The restored database still counts.
        const { slug } = lines[0]!;
        await kv.atomic().sum(["listing_vote_counts", slug, "up"], 1n).commit();
        assertEquals((await votesOf(kv, slug)).count, 2);
      }
    });
  }
});

Deno.test("a backup has no remains of deleted or changed values, unlike the database file", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    const kv = await usedKv(path);
    // Small values leave free blocks within pages, large ones free pages.
    for (let i = 0; i < 50; i++) {
      await kv.set(["a", i], `forgotten ${"x".repeat(i % 2 ? 20_000 : 20)}`);
    }
    for (let i = 0; i < 45; i++) await (i % 3 ? kv.delete(["a", i]) : kv.set(["a", i], "kept"));
    for (let i = 45; i < 50; i++) await kv.set(["a", i], "kept");
    const mentions = async (file: string) =>
      new TextDecoder("latin1").decode(await Deno.readFile(file)).split("forgotten").length - 1;
    const copy = `${folder}/copy.sqlite3`;
    await backup(envAt(path), copy, quiet);
    kv.close();
    assert(await mentions(path) > 0, "the file still has it");
    assertEquals(await mentions(copy), 0);
    using copied = await Deno.openKv(copy);
    assertEquals((await Array.fromAsync(copied.list({ prefix: ["a"] }))).length, 20);
  });
});

Deno.test("backup writes only to a file, and says how to copy to a KV server", async () => {
  const lines: string[] = [];
  const progress = (line: string) => lines.push(line);
  const url = "http://127.0.0.1:4512";
  assertEquals(await runBackupCli(["backup", url], { env: envAt(":memory:"), progress }), 2);
  assertEquals(lines, [
    `${url} is not a file. To copy to a KV server, set KV_PATH to its address and restore a backup`,
  ]);
});

Deno.test("backup and restore refuse to overwrite, and clean up after failed and interrupted runs", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    const kv = await Deno.openKv(path);
    await kv.set(["a"], 1);
    await Deno.writeTextFile(`${folder}/copy.partial`, "half a database");
    await Deno.writeTextFile(`${folder}/copy.partial-wal`, "and its log");
    await backup(envAt(path), `${folder}/copy`, quiet);
    await backup(envAt(path), `${folder}/a/new/folder/copy`, quiet);
    await Deno.remove(`${folder}/a`, { recursive: true });
    await assertRejects(
      () => backup(envAt(path), `${folder}/copy`, quiet),
      BackupError,
      "copy already exists; give a new path",
    );
    await assertRejects(
      () => restore(envAt(path), `${folder}/copy`, quiet),
      BackupError,
      "kv.sqlite3 already exists; stop the server and move it out of the way",
    );
    kv.close();
    await Deno.writeTextFile(`${folder}/junk`, "no database at all");
    await assertRejects(
      () => restore(envAt(`${folder}/new.sqlite3`), `${folder}/junk`, quiet),
      BackupError,
      `Copying ${folder}/junk failed: file is not a database`,
    );
    await Deno.truncate(`${folder}/junk`);
    await assertRejects(
      () => restore(envAt(`${folder}/new.sqlite3`), `${folder}/junk`, quiet),
      BackupError,
      "junk is empty, so it is not a backup",
    );
    await Deno.remove(`${folder}/junk`);
    const after = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    assertEquals(after.sort(), ["copy", "kv.sqlite3"], "one that failed leaves nothing");
    await Deno.writeTextFile(`${folder}/new.sqlite3.partial`, "half a restore");
    await restore(envAt(`${folder}/new.sqlite3`), `${folder}/copy`, quiet);
    // Nothing is created next to the backup either: its disk could be read-only.
    const left = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    assertEquals((await Deno.stat(`${folder}/new.sqlite3`)).mode! & 0o777, 0o600);
    assertEquals(left.sort(), ["copy", "kv.sqlite3", "new.sqlite3"]);
    using restored = await Deno.openKv(`${folder}/new.sqlite3`);
    assertEquals((await restored.get(["a"])).value, 1);
  });
});

Deno.test("restore refuses a copy with an unreadable entry, and leaves nothing behind", () =>
  inFolder(async (folder) => {
    const [path, copy] = [`${folder}/kv.sqlite3`, `${folder}/copy`];
    const source = await Deno.openKv(copy);
    for (let i = 0; i < 500; i++) await source.set(["a", i], { n: i });
    source.close();
    const file = new DatabaseSync(copy);
    file.exec("UPDATE kv SET v = x'0102030405' WHERE k = (SELECT k FROM kv LIMIT 1 OFFSET 400)");
    file.close();
    await assertRejects(
      () => restore(envAt(path), copy, quiet),
      BackupError,
      `Reading ${copy} failed: `,
    );
    const left = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    assertEquals(left.filter((name) => name.startsWith("kv")), []);
  }));

Deno.test("a backup can be read where there is no data folder yet, as on a site with a KV server", () =>
  inFolder(async (folder) => {
    const file = `${folder}/backup.sqlite3`;
    const backup = await Deno.openKv(file);
    await backup.set(["a"], 1);
    backup.close();
    const { value } = await withBackup(file, `${folder}/data`, (kv) => kv.get(["a"]));
    assertEquals(value, 1);
  }));

Deno.test("restore doesn't replace a database that appears while it copies", () =>
  inFolder(async (folder) => {
    const [path, copy] = [`${folder}/kv.sqlite3`, `${folder}/copy`];
    using source = await Deno.openKv(copy);
    await source.set(["a"], 1);
    const other = async () => {
      using server = await Deno.openKv(path);
      await server.set(["b"], 2);
    };
    const opened: Promise<void>[] = [];
    await assertRejects(
      () => restore(envAt(path), copy, () => opened.push(other())),
      BackupError,
      "kv.sqlite3 already exists",
    );
    await Promise.all(opened);
    using server = await Deno.openKv(path);
    assertEquals((await server.get(["b"])).value, 2);
    assertEquals(await Deno.stat(`${path}.partial`).catch(() => null), null);
  }));

Deno.test("the nightly backup deletes backups and leftovers older than two weeks, and nothing else", async () => {
  await inFolder(async (folder) => {
    const unit = await Deno.readTextFile(new URL("deploy/projectory-backup.service", root));
    const cleaning = /^ExecStartPost=(.+)$/m.exec(unit)![1]!
      .replace("/srv/projectory/backups", folder);
    const old = ["a.sqlite3", "b.sqlite3.partial", "b.sqlite3.partial-journal", "c.sqlite3-wal"];
    for (const name of [...old, "hash_salt", "new.sqlite3"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
      const age = name === "new.sqlite3" ? 13 : 16;
      await Deno.utime(`${folder}/${name}`, new Date(), new Date(Date.now() - age * DAY_MS));
    }
    const { success } = await new Deno.Command("sh", { args: ["-c", cleaning] }).output();
    const left = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    assertEquals([success, left.sort()], [true, ["hash_salt", "new.sqlite3"]]);
  });
});

Deno.test("a KV server is copied as of one moment, while two servers write", () =>
  inFolder(async (folder) => {
    const random = seededRandom(runSeed("copySettled"));
    await using server = startKvServer();
    Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
    using kv = await Deno.openKv(server.url);
    for (let i = 0; i < 3_000; i += 500) {
      const some = kv.atomic();
      for (let j = i; j < i + 500; j++) some.set(["entries", j], "x".repeat(100));
      await some.commit();
    }
    let done = false;
    // Each write changes a key read early in a copy, one read late, and a counter in between.
    const write = async (store: Store) => {
      for (let n = 1; !done; n++) {
        await store.transact((tx) => {
          const pair = Math.floor(random() * 5);
          const isGone = random() < 0.2;
          for (const key of [["early", pair], ["late", pair]]) {
            if (isGone) tx.delete(key);
            else tx.set(key, n);
          }
          tx.sum(["in", "between"], 1n);
          if (n % 3 === 0) tx.set(["unlogged", random()], n);
          else if (n % 3 === 1) tx.pulse({ kind: "vote", slug: "a", delta: 1 });
          else tx.change({ kind: "listing", slug: "a", event: "updated" });
        });
        await delay(random() * 60);
      }
    };
    const writers = [new Store(kv, systemClock), new Store(kv, systemClock)].map(write);
    const file = `${folder}/copy.sqlite3`;
    await copySettled(kv, file, quiet);
    done = true;
    await Promise.all(writers);
    using copy = await Deno.openKv(file);
    const listed = async (name: string) =>
      (await Array.fromAsync(copy.list({ prefix: [name] }))).map(({ key, value }) => [
        key[1],
        value,
      ]);
    assertEquals(await listed("early"), await listed("late"));
    const logged = [...await listed("changes"), ...await listed("pulses")].length;
    const all = logged + (await listed("unlogged")).length;
    assertEquals(counterValue(await copy.get(["in", "between"])), all);
    assertEquals(counterValue(await copy.get(storeKeys.revision)), logged);
    assert(all > 1, `${all} writes`);
    assertEquals((await listed("entries")).length, 3_000);
  }));

Deno.test("a copy of a KV server has a transaction that took a minute and lands meanwhile", () =>
  inFolder(async (folder) => {
    using kv = await Deno.openKv(":memory:");
    await new Store(kv, systemClock).transact((tx) => tx.set(["soon"], 1));
    const begun = fixedClock(Date.now() - MINUTE_MS);
    let isLanded = false;
    const source = kvWith(kv, {
      async getMany(keys) {
        if (!isLanded) await new Store(kv, begun).transact((tx) => tx.set(["late"], 1));
        isLanded = true;
        return await kv.getMany(keys);
      },
    });
    const file = `${folder}/copy.sqlite3`;
    await copySettled(source, file, quiet);
    using copy = await Deno.openKv(file);
    assertEquals((await copy.getMany([["soon"], ["late"]])).map(({ value }) => value), [1, 1]);
  }));

Deno.test("a copy of a KV server sees in time what is written while it rereads much", () =>
  inFolder(async (folder) => {
    using kv = await Deno.openKv(":memory:");
    const store = new Store(kv, systemClock);
    await store.transact((tx) => {
      for (let i = 0; i < 500; i++) tx.set(["many", i], 1);
    });
    const { now } = systemClock;
    let reads = 0;
    const source = kvWith(kv, {
      async getMany(keys) {
        const entries = await kv.getMany(keys);
        reads++;
        systemClock.now = () => now() + reads * 5_000;
        if (reads === 2) {
          await store.transact((tx) => {
            tx.set(keys[0]!, 2);
            tx.set(["many", 499], 2);
          });
        }
        // By then, KV has deleted the lists of three minutes ago.
        if (reads === 40) {
          for await (const { key } of kv.list({ prefix: storeKeys.markers })) await kv.delete(key);
        }
        return entries;
      },
    });
    const file = `${folder}/copy.sqlite3`;
    try {
      await copySettled(source, file, quiet);
    } finally {
      systemClock.now = now;
    }
    using copy = await Deno.openKv(file);
    const listed = (db: Deno.Kv) =>
      Array.fromAsync(db.list({ prefix: ["many"] }), ({ key, value }) => [key[1], value]);
    assertEquals(await listed(copy), await listed(kv));
  }));

for (const why of ["is never quiet", "may have forgotten what was written"]) {
  Deno.test(`a copy of a KV server that ${why} is refused`, () =>
    inFolder(async (folder) => {
      using kv = await Deno.openKv(":memory:");
      const write = () => new Store(kv, systemClock).transact((tx) => tx.set(["a"], 1));
      await write();
      const { now } = systemClock;
      const source = kvWith(kv, {
        async getMany(keys) {
          if (why === "is never quiet") await write();
          else systemClock.now = () => now() + 2 * MINUTE_MS;
          return await kv.getMany(keys);
        },
      });
      try {
        await assertRejects(
          () => copySettled(source, `${folder}/copy`, quiet),
          BackupError,
          "changed faster than it was read",
        );
      } finally {
        systemClock.now = now;
      }
    }));
}

Deno.test("restore and backup refuse a path next to another database's log", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    const first = await Deno.openKv(path);
    await first.set(["before"], 1);
    first.close();
    await backup(envAt(path), `${folder}/copy`, quiet);
    const program = `const kv = await Deno.openKv("${path}");
      for (let i = 0; i < 300; i++) await kv.set(["later", i], "x".repeat(700));
      Deno.kill(Deno.pid, "SIGKILL");`;
    const args = ["eval", "--unstable-kv", program];
    const { signal } = await new Deno.Command(Deno.execPath(), { args }).output();
    assertEquals(signal, "SIGKILL");
    await Deno.rename(path, `${folder}/away`);
    const restores = () => restore(envAt(path), `${folder}/copy`, quiet);
    await assertRejects(restores, BackupError, "kv.sqlite3-wal already exists");
    await Deno.rename(`${path}-wal`, `${folder}/away-wal`);
    await assertRejects(restores, BackupError, "kv.sqlite3-shm already exists");
    await Deno.rename(`${path}-shm`, `${folder}/away-shm`);
    await Deno.writeTextFile(`${folder}/new-wal`, "the log of another");
    await assertRejects(() => backup(envAt(`${folder}/away`), `${folder}/new`, quiet), BackupError);
    await restores();
    using kv = await Deno.openKv(path);
    const keys = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key);
    assertEquals(keys, [["before"]]);
  });
});

for (
  const [args, status, said] of [
    [[], 2, "deno task backup <file>"],
    [["backup"], 2, "deno task backup <file>"],
    [["backup", ""], 2, "deno task backup <file>"],
    [["backup", "a", "b"], 2, "deno task backup <file>"],
    [["verify", "--mend"], 2, "Unknown option --mend"],
    [["backup", "a", "--repair"], 2, "Unknown option --repair"],
    [["verify", "--help"], 0, "deno task backup <file>"],
    [["verify"], "refused", "does not exist"],
    [["backup", "/nowhere/at/all"], "refused", "does not exist"],
    [["backup", "/dev/null/copy"], 1, "Refused: Not a directory"],
    [["restore", "/nowhere/at/all"], 1, "There is no file /nowhere/at/all"],
  ] as [string[], number | string, string][]
) {
  Deno.test(`backup command line "${args.join(" ")}" ends with ${status}`, async () => {
    await inFolder(async (folder) => {
      const lines: string[] = [];
      const ended = await runBackupCli(args, {
        env: envAt(`${folder}/kv.sqlite3`),
        progress: (line) => lines.push(line),
      });
      assertEquals(ended, status === "refused" ? 1 : status);
      assertStringIncludes(lines.join("\n"), said);
    });
  });
}

Deno.test("verify refuses an older schema version, and a backup of it is written but not verified", async () => {
  await inFolder(async (folder) => {
    const env = envAt(`${folder}/kv.sqlite3`);
    const kv = await Deno.openKv(env.kvPath);
    await kv.set([...storeKeys.schemaVersion], SCHEMA_VERSION - 1);
    kv.close();
    const lines: string[] = [];
    const progress = (line: string) => lines.push(line);
    assertEquals(await runBackupCli(["verify"], { env, progress }), 1);
    assertStringIncludes(lines.at(-1)!, "Start the server once");
    assertEquals(await runBackupCli(["backup", `${folder}/copy`], { env, progress }), 1);
    assertStringIncludes(lines.at(-1)!, "Written, but not verified: ");
    await restore(envAt(`${folder}/new`), `${folder}/copy`, progress);
  });
});

Deno.test("commands refuse a database that no server has used, and write nothing to it", async () => {
  await inFolder(async (folder) => {
    const env = envAt(`${folder}/kv.sqlite3`);
    using kv = await Deno.openKv(env.kvPath);
    const lines: string[] = [];
    const progress = (line: string) => lines.push(line);
    for (const args of [["verify"], ["verify", "--repair"], ["backup", `${folder}/copy`]]) {
      assertEquals(await runBackupCli(args, { env, progress }), 1);
      assertStringIncludes(lines.at(-1)!, "no server has used the database in KV_PATH yet");
    }
    assertEquals(await Array.fromAsync(kv.list({ prefix: [] })), []);
  });
});

Deno.test("a backup records for the health check whether it succeeded, and a restored one starts anew", async () => {
  await inFolder(async (folder) => {
    const env = envAt(`${folder}/kv.sqlite3`);
    (await usedKv(env.kvPath!)).close();
    const ends: boolean[] = [];
    for (const copy of ["one", "one", "two"]) {
      await runBackupCli(["backup", `${folder}/${copy}`], { env, progress: quiet });
      using kv = await Deno.openKv(env.kvPath);
      ends.push((await kv.get<JobRun>(storeKeys.jobRun("backup"))).value!.ok);
    }
    assertEquals(ends, [true, false, true]);
    const restored = envAt(`${folder}/restored.sqlite3`);
    await runBackupCli(["restore", `${folder}/two`], { env: restored, progress: quiet });
    using kv = await Deno.openKv(restored.kvPath);
    assertEquals((await kv.get(storeKeys.jobRun("backup"))).value, null);
  });
});

Deno.test("verify reports KV's error for a value that it can't read", async () => {
  await inFolder(async (folder) => {
    const env = envAt(`${folder}/kv.sqlite3`);
    const kv = await usedKv(env.kvPath!);
    await kv.set(["listings", "a"], { slug: "a" });
    kv.close();
    {
      using database = new DatabaseSync(env.kvPath!);
      database.exec("UPDATE kv SET v = x'00' WHERE instr(k, CAST('listings' AS BLOB))");
    }
    const lines: string[] = [];
    assertEquals(await runBackupCli(["verify"], { env, progress: (line) => lines.push(line) }), 1);
    assertStringIncludes(lines.at(-1)!, "(could not deserialize value)");
  });
});

Deno.test("the backup, verify, restore and operator tasks work with the permissions they declare", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    const kv = await Deno.openKv(path);
    await kv.set([...storeKeys.schemaVersion], 1);
    kv.close();
    const run = (task: string, kvPath: string, ...args: string[]) =>
      runTask(task, { folder, args, env: { KV_PATH: kvPath } });
    // Another process holds the file open, as the server does.
    using held = await Deno.openKv(path);
    await held.set([...storeKeys.schemaVersion], SCHEMA_VERSION);
    const backedUp = await run("backup", path, `${folder}/copy`);
    assertEquals([backedUp.code, backedUp.stderr], [0, ""]);
    const restored = await run("restore", `${folder}/other/kv.sqlite3`, `${folder}/copy`);
    assertEquals([restored.code, restored.stderr], [0, ""]);
    assert(restored.stdout.endsWith("Restored\n"), restored.stdout);
    for (const task of ["verify", "operator"]) {
      const args = task === "operator" ? ["status"] : [];
      const { code, stdout, stderr } = await run(task, `${folder}/other/kv.sqlite3`, ...args);
      assertEquals([code, stderr], [0, ""], stdout);
    }
  });
});

Deno.test("a backup without a folder in its path is written to the current one, and nothing else", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    (await usedKv(path)).close();
    const args = await taskArgs("backup", folder);
    const config = ["--config", fileURLToPath(new URL("deno.json", root))];
    const program = fileURLToPath(new URL(args.at(-2)!, root));
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [args[0]!, ...config, ...args.slice(1, -2), program, "backup", "copy.sqlite3"],
      cwd: folder,
      env: { KV_PATH: path },
      stdout: "null",
    }).output();
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    const made = names.filter((name) => !name.startsWith("kv.sqlite3"));
    assertEquals([code, made], [0, ["copy.sqlite3"]]);
  });
});

Deno.test("commands finish even if nobody reads their output, as with `head`", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    (await usedKv(path)).close();
    for (const [task, ...args] of [["backup", `${folder}/copy`], ["operator", "status"]]) {
      const child = new Deno.Command(Deno.execPath(), {
        args: [...await taskArgs(task!, folder), ...args],
        cwd: root,
        env: { KV_PATH: path, NO_COLOR: "1" },
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      await child.stdout.cancel();
      const [{ code }, said] = await Promise.all([child.status, new Response(child.stderr).text()]);
      assertEquals([code, said], [0, ""], task);
    }
  });
});

Deno.test("only their owner can read a database, its backup and what is restored from it", async () => {
  await inFolder(async (folder) => {
    using kv = await openKv(envAt(`${folder}/kv.sqlite3`));
    await kv.set(["a"], 1);
    await backup(envAt(`${folder}/kv.sqlite3`), `${folder}/copy.sqlite3`, quiet);
    await restore(envAt(`${folder}/new/kv.sqlite3`), `${folder}/copy.sqlite3`, quiet);
    await restore(envAt(`${folder}/live/kv.sqlite3`), `${folder}/kv.sqlite3`, quiet);
    const restored = ["new/kv.sqlite3", "live/kv.sqlite3"];
    for (const file of ["kv.sqlite3", "kv.sqlite3-wal", "copy.sqlite3", ...restored]) {
      assertEquals((await Deno.stat(`${folder}/${file}`)).mode! & 0o777, 0o600, file);
    }
  });
});
