import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { verify } from "@/lib/backup/verify.ts";
import { delay, MINUTE_MS, systemClock } from "@/lib/clock.ts";
import { SettingError } from "@/lib/env.ts";
import { loadSalt } from "@/lib/http/salt.ts";
import { openKv } from "@/lib/kv/open.ts";
import { Store } from "@/lib/kv/store.ts";
import { inFolder } from "../support/folder.ts";
import { succeeds } from "../support/programs.ts";
import { rounds } from "../support/runs.ts";
import { removeBuild, type ServerProcess, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { assertConsistent } from "./votes_audit.ts";

/** Mounts a small in-memory disk; null if that isn't permitted. */
async function smallDisk(megabytes = 6): Promise<({ path: string } & AsyncDisposable) | null> {
  const path = await Deno.makeTempDir();
  if (!await succeeds("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path)) {
    await Deno.remove(path);
    return null;
  }
  return {
    path,
    async [Symbol.asyncDispose]() {
      await succeeds("umount", path);
      await Deno.remove(path);
    },
  };
}

const canMount = await smallDisk().then(async (disk) => {
  await disk?.[Symbol.asyncDispose]();
  return disk !== null;
});

/** Whether a file can be made read-only: root may write anything that isn't immutable. */
const canForbid = Deno.uid() !== 0 || await Deno.makeTempFile().then(async (path) => {
  const isImmutable = await succeeds("chattr", "+i", path);
  await succeeds("chattr", "-i", path);
  await Deno.remove(path);
  return isImmutable;
});

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

/** Fills a disk, to the last block. */
async function fill(filler: string): Promise<void> {
  using file = await Deno.open(filler, { append: true, create: true });
  try {
    for (;;) await file.write(new Uint8Array(4_096));
  } catch {
    return;
  }
}

Deno.test({
  name: "starting with a read-only database file fails with a clear error",
  ignore: !canForbid,
  fn: () =>
    inFolder(async (folder) => {
      const path = `${folder}/kv.sqlite3`;
      const kv = await openKv({ kvPath: path });
      await kv.set(["a"], 1);
      kv.close();
      await Deno.chmod(path, 0o400);
      await succeeds("chattr", "+i", path);
      try {
        await assertRejects(
          () => openKv({ kvPath: path }),
          SettingError,
          "this user must be able to write the file",
        );
      } finally {
        await succeeds("chattr", "-i", path);
      }
    }),
});

Deno.test({
  name: "a first start on a full disk leaves no empty salt file behind",
  ignore: !canMount,
  async fn() {
    await using disk = (await smallDisk())!;
    const load = () =>
      loadSalt({ hashSalt: undefined, kvPath: `${disk.path}/kv.sqlite3` }, { mayMake: true });
    await fill(`${disk.path}/filler`);
    await assertRejects(load, SettingError, "No space left");
    await Deno.remove(`${disk.path}/filler`);
    assertEquals((await load()).length, 64);
  },
});

Deno.test({
  name: "the error for starting on a full disk asks whether the disk is full",
  ignore: !canMount,
  async fn() {
    await using disk = (await smallDisk())!;
    const open = () => openKv({ kvPath: `${disk.path}/kv.sqlite3` });
    const first = await open();
    await first.set(["a"], 1);
    first.close();
    await fill(`${disk.path}/filler`);
    await assertRejects(open, SettingError, "free space if the disk is full");
    await Deno.remove(`${disk.path}/filler`);
    using second = await open();
    assertEquals((await second.get(["a"])).value, 1);
  },
});

/**
 * How long (ms) the disk stays full. Anything that expires after three minutes used to end the
 * process.
 */
const FULL_MS = rounds(5_000, 10 * MINUTE_MS);

Deno.test({
  name:
    "on a full disk, writes are refused, reads work even after a restart, and freed space ends it",
  ignore: !canMount,
  async fn() {
    await using disk = (await smallDisk(64))!;
    const folder = disk.path;
    const env = { TRUSTED_PROXIES: "1", LOG_LEVEL: "error" };
    let server = await startServer({ folder, env });
    const acknowledged: number[] = [];
    const submit = async (i: number) => {
      const { status, body } = await server.json("/api/v1/projects", {
        address: `10.0.${i >> 8}.${i & 255}`,
        json: {
          name: `Disk ${i}`,
          url: `https://d${i}.example.com`,
          tagline: "x",
          description: "x".repeat(2_000),
        },
      });
      if (status === 201) acknowledged.push(i);
      else assertEquals([status, body.error.code], [503, "storage_unavailable"]);
      return status;
    };
    const assertReads = async () => {
      const list = await server.json("/api/v1/projects");
      assertEquals(
        list.body.total,
        acknowledged.length,
        "reads continue, and show what was acknowledged",
      );
    };
    const reserve = `${folder}/reserve`;
    const filler = `${folder}/filler`;
    let isEating = true;
    let eater = Promise.resolve();
    try {
      await until("the reserve is there", () => exists(reserve));
      for (let i = 0; i < 20; i++) assertEquals(await submit(i), 201);
      eater = (async () => {
        while (isEating) await fill(filler).then(() => delay(1));
      })();
      await until("the reserve is released", async () => !await exists(reserve));
      await until(
        "a write is refused",
        async () => await submit(100 + acknowledged.length) === 503,
      );
      for (const end = Date.now() + FULL_MS; Date.now() < end; await delay(1_000)) {
        assertEquals(await submit(1_000), 503);
        await assertReads();
      }
      assertStringIncludes(server.log(), "writes are refused until 20 MB is free");

      // SQLite frees and reallocates a few pages when it opens; if `eater` is faster, this start
      // ends with "free space", as it should.
      isEating = false;
      await eater;
      await server.kill();
      server = await startServer({ folder, env });
      await assertReads();
      assertEquals(await submit(1_001), 503);

      await Deno.truncate(filler);
      await until("a write is accepted", async () => await submit(2_000) === 201);
      await until("the reserve is rebuilt", () => exists(reserve));
      assertEquals((await server.kill("SIGTERM")).code, 0);
    } finally {
      isEating = false;
      await eater;
      await server.kill();
    }
    using kv = await Deno.openKv(`${folder}/kv.sqlite3`);
    const listings = await assertConsistent(kv, "after the full disk");
    assertEquals(
      [...listings.values()].map(({ url }) => url).sort(),
      acknowledged.map((i) => `https://d${i}.example.com`).sort(),
    );
    assertEquals(await verify(new Store(kv, systemClock)), []);
  },
});

Deno.test("a process frozen during writes resumes without losing or duplicating any", async () => {
  await inFolder(async (folder) => {
    await using server = await startServer({ folder, env: { TRUSTED_PROXIES: "1" } });
    await using other = await startServer({ folder, env: { TRUSTED_PROXIES: "1" } });
    const json = { name: "Frozen", url: "https://f.example.com", tagline: "x" };
    assertEquals((await server.json("/api/v1/projects", { json })).body.project.slug, "frozen");
    const path = "/api/v1/projects/frozen/vote";
    const vote = async (by: ServerProcess, i: number) => {
      const sent = { method: "POST", address: `10.1.0.${i}` };
      const { status, body } = await by.json(path, sent);
      return [status, body.voted];
    };
    const before = Array.from({ length: 40 }, (_, i) => vote(server, i));
    await delay(5);
    Deno.kill(server.pid, "SIGSTOP");
    // The other process keeps serving; at worst the frozen one holds SQLite's lock for a moment.
    const meanwhile = Promise.all(Array.from({ length: 20 }, (_, i) => vote(other, 100 + i)));
    await delay(1_500);
    Deno.kill(server.pid, "SIGCONT");
    for (const answer of [...await Promise.all(before), ...await meanwhile]) {
      assertEquals(answer, [200, true]);
    }
    using kv = await Deno.openKv(`${folder}/kv.sqlite3`);
    await assertConsistent(kv);
    assertEquals((await other.json(path)).body.votes, 60);
  });
});

Deno.test.afterAll(removeBuild);
