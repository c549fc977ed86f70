import { assertEquals } from "@std/assert";
import { openKv } from "@/lib/kv/open.ts";
import { inFolder } from "../support/folder.ts";

Deno.test("openKv waits for whoever keeps the file to itself, and tries again when SQLite gives up", () =>
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
