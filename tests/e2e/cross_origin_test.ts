import { assert, assertEquals } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { votesOf } from "../fault/votes_audit.ts";
import { testSite } from "../support/site.ts";

/**
 * A page on another site that tries every way for a browser to send a request without permission.
 */
function attack(target: string): string {
  const vote = `${target}/api/v1/projects/target/vote`;
  const submit = JSON.stringify({ name: "Evil", url: "https://evil.example.com", tagline: "x" });
  return `<!doctype html><title>Elsewhere</title>
    <img src="${vote}"><img src="${target}/go/target">
    <iframe name="sink"></iframe>
    <form id="api" method="post" action="${vote}" target="sink"></form>
    <form id="page" method="post" action="${target}/p/target/vote" target="sink"></form>
    <form id="plain" method="post" enctype="text/plain" action="${target}/api/v1/projects" target="sink">
      <input name='${submit.slice(0, -1)},"x":"' value='"}'></form>
    <script type="module">
      const quietly = (request) => request.catch(() => {});
      await quietly(fetch("${vote}", { method: "POST", mode: "no-cors" }));
      await quietly(fetch("${vote}", { method: "POST", mode: "cors" }));
      await quietly(fetch("${vote}", { method: "POST", mode: "cors", credentials: "include" }));
      await quietly(fetch("${target}/api/v1/projects", {
        method: "POST", mode: "no-cors", headers: { "content-type": "text/plain" }, body: '${submit}',
      }));
      await quietly(fetch("${target}/api/v1/projects", {
        method: "POST", headers: { "content-type": "application/json" }, body: '${submit}',
      }));
      navigator.sendBeacon("${vote}");
      navigator.sendBeacon("${vote}", new Blob(["{}"], { type: "text/plain" }));
      for (const id of ["api", "page", "plain"]) {
        document.getElementById(id).submit();
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      document.title = "done";
    </script>`;
}

Deno.test("another site's page can't vote or submit for its visitor, but the site's own page can", async () => {
  await using site = await testSite();
  const json = { name: "Target", url: "https://target.example.com", tagline: "x" };
  await site.app.json("/api/v1/projects", { json });
  await using evil = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response(attack(site.base), { headers: { "content-type": "text/html" } }),
  );
  await using page = await site.visit();
  const reached: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().startsWith(site.base)) {
      reached.push(request.url());
    }
  });
  // Another host name is another site, even on the same machine.
  await page.goto(`http://localhost:${evil.addr.port}/`);
  await page.waitForFunction("document.title === 'done'");
  await delay(300);
  assert(reached.length >= 6, `only ${reached.length} requests were sent`);
  const stored = await votesOf(site.app.deps.store.kv, "target");
  assertEquals(stored, { voters: new Set(), count: 0 });
  const { total, projects } = (await site.app.json("/api/v1/projects")).body;
  assertEquals([total, projects[0].clicks], [1, 0]);

  // The same browser is served on the site's own page.
  await page.goto("/p/target");
  const own = await page.evaluate(
    `fetch("/api/v1/projects/target/vote", { method: "POST" }).then((r) => r.json())`,
  ) as { votes: number };
  assertEquals(own.votes, 1);
});
