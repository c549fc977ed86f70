import { assertEquals } from "@std/assert";
import { DiskGuard } from "@/lib/kv/disk_guard.ts";
import { inFolder } from "../support/folder.ts";

Deno.test("a reserve that an earlier process didn't finish is completed", async () => {
  await inFolder(async (folder) => {
    const reserve = `${folder}/reserve`;
    await Deno.writeFile(reserve, new Uint8Array(10));
    await new DiskGuard({ kvPath: `${folder}/data.sqlite3` }).prepare();
    assertEquals((await Deno.stat(reserve)).size, 8_000_000);
  });
});
