import { assert, assertEquals } from "@std/assert";
import type { Context } from "fresh";
import { StaleNotice } from "@/components/StaleNotice.tsx";
import type { State } from "@/lib/app/define.ts";
import { addSharedHeaders } from "@/lib/http/shared_headers.ts";
import { pageCache } from "@/lib/site/page_cache.ts";
import { type TestApp, testApp } from "@/tests/support/app.ts";

const PRELOAD = '</island.js>; rel="modulepreload"; as="script"';

/** A page as Fresh renders it: its inline script has a nonce, which Fresh also sets on the response. */
function pageOfFresh(): Response {
  const response = new Response('<script type="module" nonce="a1b2">boot()</script>', {
    headers: { "Content-Type": "text/html; charset=utf-8", "Link": PRELOAD },
  });
  return Object.assign(response, { [Symbol.for("__freshNonce")]: "a1b2" });
}

const policyOf = ({ headers }: Response) => headers.get("content-security-policy") ?? "";

function contextOf(app: TestApp, next: () => Response, accept = "text/html"): Context<State> {
  const req = new Request("http://projectory.test/stats", { headers: { accept } });
  const rest = { url: new URL(req.url), params: {}, state: { deps: app.deps } };
  return { req, ...rest, next: () => Promise.resolve(next()) } as unknown as Context<State>;
}

Deno.test("a cached page keeps its Link header for scripts", async () => {
  await using app = await testApp();
  const keepPage = pageCache(StaleNotice);
  const ctx = contextOf(app, pageOfFresh);
  for (let asked = 0; asked < 3; asked++) {
    const { headers } = await keepPage(ctx) as Response;
    assertEquals(headers.get("link"), PRELOAD);
  }
});

Deno.test("a page's CSP allows only Fresh's own inline script, cached or not", async () => {
  await using app = await testApp();
  let rendered = 0;
  const ctx = contextOf(app, () => (rendered++, pageOfFresh()));
  const shared = { urls: app.deps.urls, requestId: "r" };
  const made = policyOf(addSharedHeaders(pageOfFresh(), shared));
  assert(made.includes("; script-src 'self' 'nonce-a1b2'; "), made);

  const keepPage = pageCache(StaleNotice);
  for (let i = 0; i < 3; i++) {
    assertEquals(policyOf(addSharedHeaders(await keepPage(ctx) as Response, shared)), made);
  }
  assertEquals(rendered, 1, "kept from the first request on");

  const own = await app.request("/help");
  assertEquals(policyOf(own), made.replace(" 'nonce-a1b2'", ""), await own.text());
});

Deno.test("a page and its Markdown twin are rendered only once", async () => {
  await using app = await testApp();
  let rendered = 0;
  const render = () => (rendered++, pageOfFresh());
  const keepPage = pageCache(StaleNotice);
  for (const accept of ["text/html", "text/markdown"]) {
    await keepPage(contextOf(app, render, accept));
  }
  assertEquals(rendered, 1);
});
