import { assertEquals } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { DiskGuard } from "@/lib/kv/disk_guard.ts";
import { inFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

Deno.test("a reserve that an earlier process didn't finish is completed", async () => {
  await inFolder(async (folder) => {
    const reserve = `${folder}/reserve`;
    await Deno.writeFile(reserve, new Uint8Array(10));
    await new DiskGuard({ kvPath: `${folder}/data.sqlite3` }).prepare();
    assertEquals((await Deno.stat(reserve)).size, 8_000_000);
  });
});

Deno.test("a reserve that takes long to write is written once", async () => {
  const { open } = Deno;
  let opened = 0;
  Deno.open = async (...args) => {
    opened++;
    const file = await open(...args);
    const write = file.write.bind(file);
    file.write = async (bytes) => {
      await delay(1);
      return await write(bytes);
    };
    return file;
  };
  try {
    await inFolder(async (folder) => {
      const guard = new DiskGuard({ kvPath: `${folder}/data.sqlite3` });
      const first = guard.prepare();
      await until("the writing began", () => opened > 0);
      await Promise.all([first, guard.prepare()]);
      assertEquals(opened, 1);
      assertEquals((await Deno.stat(`${folder}/reserve`)).size, 8_000_000);
    });
  } finally {
    Deno.open = open;
  }
});
