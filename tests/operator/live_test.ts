import { assert, assertEquals } from "@std/assert";
import { inFolder } from "../support/folder.ts";
import { removeBuild, runTask, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const operator = (folder: string, ...args: string[]) => runTask("operator", { folder, args });

Deno.test("an operator's command takes effect in a running server within one second", async () => {
  await inFolder(async (folder) => {
    await using server = await startServer({ folder });
    const json = { name: "Seen", url: "https://seen.example.com", tagline: "Now" };
    const { project: { slug } } = (await server.json("/api/v1/projects", { json })).body;
    const status = async () => (await server.json(`/api/v1/projects/${slug}`)).status;
    assertEquals(await status(), 200);
    // In one of three tries, because a busy machine isn't the server's fault.
    const took: number[] = [];
    do {
      for (const [verb, expected] of [["hide", 404], ["unhide", 200]] as const) {
        const { code, stderr } = await operator(folder, "listings", verb, slug);
        assertEquals([code, stderr], [0, ""]);
        took.push(await until(`${verb} shows`, async () => await status() === expected));
      }
    } while (Math.max(...took.slice(-2)) > 1_000 && took.length < 6);
    assert(Math.max(...took.slice(-2)) <= 1_000, `each try was late: ${took} ms`);
  });
});

Deno.test("an operator's command on a missing database exits with status 1 and doesn't create it", async () => {
  await inFolder(async (folder) => {
    const { code, stdout, stderr } = await operator(folder, "status");
    assertEquals([code, stdout], [1, ""]);
    assertEquals(stderr, `Bad setting: KV_PATH ${folder}/kv.sqlite3 does not exist\n`);
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

Deno.test.afterAll(removeBuild);
