import { assertEquals, assertRejects } from "@std/assert";
import { SettingError } from "@/lib/env.ts";
import { dataFolder, openExistingKv, openKv } from "@/lib/kv/open.ts";
import { inFolder } from "../support/folder.ts";

Deno.test("openKv waits for a locked file, and retries when SQLite gives up", () =>
  inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    const holder = `
      import { DatabaseSync } from "node:sqlite";
      const database = new DatabaseSync(${JSON.stringify(path)});
      database.exec("CREATE TABLE kept (it); BEGIN EXCLUSIVE");
      self.postMessage("held");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      database.exec("COMMIT");
      database.close();
      self.close();`;
    const worker = new Worker(`data:text/javascript,${encodeURIComponent(holder)}`, {
      type: "module",
    });
    await new Promise((resolve) => worker.onmessage = resolve);
    using kv = await openKv({ kvPath: path });
    assertEquals((await kv.get(["nothing"])).value, null);
  }));

Deno.test("openKv and openExistingKv give clear errors for paths that can't be a database", () =>
  inFolder(async (folder) => {
    await assertRejects(
      () => openKv({ kvPath: folder }),
      SettingError,
      "this user must be able to write the file, its folder",
    );
    const refused = async (kvPath: string) =>
      (await assertRejects(() => openExistingKv({ kvPath }), SettingError) as Error).message;
    const missing = `${folder}/none/kv.sqlite3`;
    assertEquals(await refused(missing), `Bad setting: KV_PATH ${missing} does not exist`);
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
    await Deno.writeTextFile(`${folder}/file`, "");
    const below = `${folder}/file/kv.sqlite3`;
    assertEquals(
      (await refused(below)).replace(/ \(os error \d+\)/, ""),
      `Bad setting: KV_PATH ${below} cannot be opened: Not a directory: stat '${below}'`,
    );
    using memory = await openExistingKv({ kvPath: ":memory:" });
    assertEquals((await memory.get(["nothing"])).value, null);
  }));

Deno.test("openKv creates the folder of a new file", () =>
  inFolder(async (folder) => {
    const kvPath = `${folder}/new/data/kv.sqlite3`;
    using kv = await openKv({ kvPath });
    await kv.set(["a"], 1);
    assertEquals((await Deno.stat(kvPath)).isFile, true);
  }));

Deno.test("dataFolder returns the folder of a KV file, and undefined for anything else", () => {
  const folders: [kvPath: string | undefined, folder: string | undefined][] = [
    ["kv.sqlite3", "."],
    ["data/kv.sqlite3", "data"],
    ["/srv/data/kv.sqlite3", "/srv/data"],
    ["/kv.sqlite3", "/"],
    [":memory:", undefined],
    ["https://kv.example/data", undefined],
    [undefined, undefined],
  ];
  for (const [kvPath, folder] of folders) assertEquals(dataFolder({ kvPath }), folder);
});
