import { assert, assertEquals } from "@std/assert";
import { copySite } from "./support/copy_site.ts";
import { until } from "./support/until.ts";

/**
 * A free port, whose next one is free for the fetcher. Below the ports that the system hands out,
 * so no other test takes either.
 */
function twoFreePorts(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      for (const each of [port, port + 1]) {
        Deno.listen({ hostname: "127.0.0.1", port: each }).close();
      }
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Whether the fetcher responds on a port. */
const isFetching = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`, { method: "POST" }).then(
    async (response) => (await response.body?.cancel(), response.status === 400),
    () => false,
  );

Deno.test("`deno task start` builds, serves and stops the whole service in a fresh copy, with only PORT set", async () => {
  const folder = await copySite("projectory #1 %20 ü ");
  const port = twoFreePorts();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "start"],
    cwd: folder,
    env: { PORT: String(port) },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let output = "";
  const listening = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      output += text;
      if (output.includes('"listening"')) listening.resolve();
    }
    listening.reject(new Error(`did not start:\n${output}`));
  })();
  try {
    await listening.promise;
    await until("the fetcher responds too", () => isFetching(port + 1));
    const base = `http://127.0.0.1:${port}`;
    const home = await fetch(base);
    assertEquals(home.status, 200);
    const html = await home.text();
    const assets = [...html.matchAll(/(?:href|src)="(\/[^"]*\.(?:css|js|svg)[^"]*)"/g)];
    assert(assets.length > 1, `${assets.length} assets`);
    for (const [, path] of assets) {
      const asset = await fetch(base + path);
      await asset.body?.cancel();
      assertEquals(asset.status, 200, path);
    }
    const created = await fetch(`${base}/api/v1/projects`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "First", url: "https://first.dev", tagline: "One" }),
    });
    assertEquals(created.status, 201);
    await created.body?.cancel();
    assert((await (await fetch(`${base}/p/first`)).text()).includes("First"));
    const promotion = await fetch(`${base}/api/v1/promote`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ slug: "first", tierId: "bump-3" }),
    });
    assertEquals((await promotion.json()).error.code, "payments_unconfigured");
  } finally {
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0, output);
    assertEquals(await isFetching(port + 1), false);
    await reading.catch(() => {});
    listening.promise.catch(() => {});
    await Deno.remove(folder, { recursive: true });
  }
});
