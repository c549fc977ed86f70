import { assert, assertEquals, assertRejects } from "@std/assert";
import { SettingError } from "@/lib/env.ts";
import { requireSalt } from "@/lib/http/salt.ts";
import { Store } from "@/lib/kv/store.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { inFolder } from "../support/folder.ts";

/** The salt for a new database. */
async function load(folder: string, hashSalt?: string): Promise<string> {
  using kv = await Deno.openKv(":memory:");
  const env = { hashSalt, kvPath: `${folder}/kv.sqlite3` };
  return await requireSalt(new Store(kv, fixedClock(0)), env, { acceptNew: false });
}

Deno.test("concurrent starts create one complete salt file and share it", async () => {
  for (let round = 0; round < 20; round++) {
    await inFolder(async (folder) => {
      const loaded = await Promise.all(Array.from({ length: 8 }, () => load(folder)));
      const salt = loaded[0]!;
      assertEquals(salt.length, 64);
      assertEquals(loaded, Array(8).fill(salt));
      assertEquals(await load(folder), salt);
      const [file, ...more] = await Array.fromAsync(Deno.readDir(folder));
      assertEquals([file?.name, more], ["hash_salt", []]);
      assertEquals((await Deno.stat(`${folder}/hash_salt`)).mode! & 0o777, 0o600);
    });
  }
});

Deno.test("a salt file that is too short is refused, with advice", async () => {
  await inFolder(async (folder) => {
    for (const short of ["", `${"x".repeat(31)}\n`]) {
      await Deno.writeTextFile(`${folder}/hash_salt`, short);
      await assertRejects(
        () => load(folder),
        SettingError,
        "Put the salt from your backup there, or delete",
      );
    }
    await Deno.writeTextFile(`${folder}/hash_salt`, `${"x".repeat(32)}\n`);
    assertEquals(await load(folder), "x".repeat(32));
  });
});

Deno.test("the salt file is next to the database, even if the path goes up from a link", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/real/deep`, { recursive: true });
    await Deno.symlink(`${folder}/real/deep`, `${folder}/link`);
    const salt = await load(`${folder}/link/..`);
    assertEquals((await Deno.readTextFile(`${folder}/real/hash_salt`)).trim(), salt);
  });
});

Deno.test("a configured salt needs no file, and neither does in-memory KV, which gets a new one", async () => {
  await inFolder(async (folder) => {
    const hashSalt = "x".repeat(32);
    assertEquals(await load(folder, hashSalt), hashSalt);
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  });
  const memory = async () => {
    using kv = await Deno.openKv(":memory:");
    const env = { hashSalt: undefined, kvPath: ":memory:" };
    return await requireSalt(new Store(kv, fixedClock(0)), env, { acceptNew: false });
  };
  const [one, two] = [await memory(), await memory()];
  assert(one.length === 64 && one !== two);
});

/** Runs starts with different salts on one database. */
async function withStore(
  work: (
    start: (
      folder: string,
      options?: { hashSalt?: string; acceptNew?: boolean },
    ) => Promise<string>,
    store: Store,
  ) => Promise<void>,
): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  const store = new Store(kv, fixedClock(0));
  await work((folder, { hashSalt, acceptNew = false } = {}) => {
    return requireSalt(store, { hashSalt, kvPath: `${folder}/kv.sqlite3` }, { acceptNew });
  }, store);
}

Deno.test("a different salt is refused until accepted once, and KV never stores a salt", async () => {
  await withStore(async (start, store) => {
    const [one, two] = ["1".repeat(32), "2".repeat(32)];
    assertEquals(await start("", { hashSalt: one }), one);
    await assertRejects(() => start("", { hashSalt: two }), SettingError, "--accept-new-salt");
    assertEquals(await start("", { hashSalt: one }), one, "the refused one changed nothing");
    assertEquals(await start("", { hashSalt: two, acceptNew: true }), two);
    assertEquals(await start("", { hashSalt: two }), two);
    await assertRejects(() => start("", { hashSalt: one }), SettingError);
    const held = await Array.fromAsync(store.list({ prefix: [] }));
    assert(held.length > 0 && !/1{32}|2{32}/.test(JSON.stringify(held)));
  });
});

Deno.test("starting without the file of a known salt is refused, and creates no other", async () => {
  await withStore((start) =>
    inFolder(async (folder) => {
      const salt = await start(folder);
      await Deno.remove(`${folder}/hash_salt`);
      await assertRejects(() => start(folder), SettingError, "hash_salt is missing");
      assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
      const other = await start(folder, { acceptNew: true });
      assert(other !== salt);
      assertEquals(await start(folder), other);
    })
  );
});

Deno.test("a byte order mark isn't part of the salt, and a UTF-16 file is refused", async () => {
  await withStore((start) =>
    inFolder(async (folder) => {
      const salt = await start(folder);
      const file = `${folder}/hash_salt`;
      await Deno.writeTextFile(file, `\uFEFF${salt}\r\n`);
      assertEquals(await start(folder), salt);
      await Deno.writeFile(
        file,
        new Uint8Array(Uint16Array.from(`\uFEFF${salt}`, (c) => c.charCodeAt(0)).buffer),
      );
      await assertRejects(() => start(folder), SettingError, "hash_salt is unusable: ");
    })
  );
});
