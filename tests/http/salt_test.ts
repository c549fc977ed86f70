import { assert, assertEquals, assertRejects } from "@std/assert";
import { SettingError } from "@/lib/env.ts";
import { isOtherSalt, loadSalt } from "@/lib/http/salt.ts";
import { Store } from "@/lib/kv/store.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { inFolder } from "../support/folder.ts";

const load = (folder: string) => loadSalt({ hashSalt: undefined, kvPath: `${folder}/kv.sqlite3` });

Deno.test("the file of the salt is whole as soon as it is there: starts at once take one, and none finds an empty one", async () => {
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

Deno.test("a file of the salt that is too short is not taken, and the start says what to do", async () => {
  await inFolder(async (folder) => {
    for (const short of ["", `${"x".repeat(31)}\n`]) {
      await Deno.writeTextFile(`${folder}/hash_salt`, short);
      await assertRejects(
        () => load(folder),
        SettingError,
        "put the salt of your backup there, or delete it",
      );
    }
    await Deno.writeTextFile(`${folder}/hash_salt`, `${"x".repeat(32)}\n`);
    assertEquals(await load(folder), "x".repeat(32));
  });
});

Deno.test("the file of the salt lies beside its database, also where a link leads up from elsewhere", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/real/deep`, { recursive: true });
    await Deno.symlink(`${folder}/real/deep`, `${folder}/link`);
    const salt = await load(`${folder}/link/..`);
    assertEquals((await Deno.readTextFile(`${folder}/real/hash_salt`)).trim(), salt);
  });
});

Deno.test("a salt that the settings give needs no file, nor does KV in memory, whose salt is a new one", async () => {
  await inFolder(async (folder) => {
    const hashSalt = "x".repeat(32);
    assertEquals(await loadSalt({ hashSalt, kvPath: `${folder}/kv.sqlite3` }), hashSalt);
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  });
  const memory = () => loadSalt({ hashSalt: undefined, kvPath: ":memory:" });
  const [one, two] = [await memory(), await memory()];
  assert(one.length === 64 && one !== two);
});

Deno.test("a salt that is another than at the last start is noticed, once; KV never holds it", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = new Store(kv, fixedClock(0));
  const [one, two] = ["1".repeat(32), "2".repeat(32)];
  const noticed: boolean[] = [];
  for (const salt of [one, one, two, two, one]) noticed.push(await isOtherSalt(store, salt));
  assertEquals(noticed, [false, false, true, false, true]);
  const held = await Array.fromAsync(store.list({ prefix: [] }));
  assert(held.length > 0 && !JSON.stringify(held).includes(one));
});
