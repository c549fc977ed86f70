import { assertEquals, assertRejects } from "@std/assert";
import { SettingError } from "@/lib/env.ts";
import { loadSalt } from "@/lib/kv/salt.ts";
import { inFolder } from "../support/folder.ts";

const load = (folder: string) => loadSalt({ hashSalt: undefined, kvPath: `${folder}/kv.sqlite3` });

Deno.test("the file of the salt is whole as soon as it is there: starts at once take one, and none finds an empty one", async () => {
  for (let round = 0; round < 20; round++) {
    await inFolder(async (folder) => {
      const loaded = await Promise.all(Array.from({ length: 8 }, () => load(folder)));
      const { salt } = loaded[0]!;
      assertEquals(salt.length, 64);
      assertEquals(loaded.map((each) => each.salt), Array(8).fill(salt));
      assertEquals(loaded.filter(({ isNew }) => isNew).length, 1);
      assertEquals(await load(folder), { salt, isNew: false });
      const [file, ...more] = await Array.fromAsync(Deno.readDir(folder));
      assertEquals([file?.name, more], ["hash_salt", []]);
      assertEquals((await Deno.stat(`${folder}/hash_salt`)).mode! & 0o777, 0o600);
    });
  }
});

Deno.test("a file of the salt that is too short is not taken, and the start says what to do", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/hash_salt`, "");
    await assertRejects(
      () => load(folder),
      SettingError,
      "put the salt of your backup there, or delete it",
    );
  });
});
