import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { counterValue } from "@/lib/kv/store.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { type TestApp, testApp, type TestRequest } from "../support/app.ts";
import { addressOf, submit } from "../support/listings.ts";
import { BROWSER } from "../support/user_agents.ts";

function visit(app: TestApp, slug: string, options: TestRequest = {}): Promise<Response> {
  return app.request(`/go/${slug}`, { userAgent: BROWSER, ...options });
}

async function clicks(app: TestApp, slug: string): Promise<number> {
  return (await app.json(`/api/v1/projects/${slug}`)).body.project.clicks;
}

Deno.test("/go/<slug> redirects with ref set to the site's slug, replacing any other", async () => {
  await using app = await testApp();
  for (
    const [url, location] of [
      ["https://a.dev/x?y=1&ref=old#z", "https://a.dev/x?y=1&ref=projectory#z"],
      ["https://b.dev", "https://b.dev/?ref=projectory"],
      ["https://c.dev/?/t/1&flag&q=a%20b,c", "https://c.dev/?/t/1&flag&q=a%20b,c&ref=projectory"],
    ] as const
  ) {
    const { project } = await submit(app, { url });
    const response = await visit(app, project.slug);
    assertEquals([response.status, response.headers.get("location")], [302, location]);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(response.headers.get("x-robots-tag"), "noindex");
  }
});

Deno.test("/go/<slug> uses the configured site slug", async () => {
  await using app = await testApp({ env: { SITE_SLUG: "shelf" } });
  const { project } = await submit(app, { url: "https://a.dev/" });
  const { headers } = await visit(app, project.slug);
  assertEquals(headers.get("location"), "https://a.dev/?ref=shelf");
});

Deno.test("/go/<slug> returns 404 for unlisted slugs and path tricks", async () => {
  await using app = await testApp();
  for (const slug of ["nowhere", "..%2f..%2fetc", "%2F%2Fevil.example", "%0d%0aX:1"]) {
    assertEquals((await visit(app, slug)).status, 404, slug);
  }
});

Deno.test("/go/<slug> returns 404 and counts nothing if the listing's URL leads back to /go", async () => {
  await using app = await testApp({ env: { BASE_URL: "https://directory.example.com" } });
  await submit(app, { name: "Loop", url: "http://www.directory.example.com/x/..//go/loop" });
  await submit(app, { name: "Around", url: "https://directory.example.com/go/loop?ref=a#b" });
  await submit(app, { name: "Home", url: "https://directory.example.com/gopher" });
  assertEquals((await visit(app, "loop")).status, 404);
  assertEquals((await visit(app, "around")).status, 404);
  assertEquals([await clicks(app, "loop"), await clicks(app, "around")], [0, 0]);
  assertEquals((await visit(app, "home")).status, 302);
});

Deno.test("/go/<slug> counts up to 10 visits per visitor per hour, and no prefetches or bots (invariant 5)", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  await visit(app, slug, { method: "HEAD" });
  for (const name of ["sec-purpose", "purpose", "x-purpose", "x-moz"]) {
    await visit(app, slug, { headers: { [name]: "prefetch" } });
  }
  await visit(app, slug, { headers: { "x-purpose": "preview" } });
  for (const dest of ["image", "iframe", "empty", "script"]) {
    await visit(app, slug, { headers: { "sec-fetch-dest": dest } });
  }
  await visit(app, slug, { userAgent: "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  assertEquals(await clicks(app, slug), 0);
  for (let i = 0; i < 12; i++) await visit(app, slug);
  assertEquals(await clicks(app, slug), 10);
  await visit(app, slug, { address: addressOf(77) });
  assertEquals(await clicks(app, slug), 11);
  const { project: other } = await submit(app);
  await visit(app, other.slug);
  assertEquals(await clicks(app, other.slug), 1, "each listing has its own ten");
  app.clock.advance(HOUR_MS - 1);
  await visit(app, slug);
  assertEquals(await clicks(app, slug), 11);
  app.clock.advance(1);
  await visit(app, slug);
  assertEquals(await clicks(app, slug), 12);
  assertEquals(counterValue(await app.deps.store.get(listingKeys.clicks(slug))), 12, "stored too");
});

Deno.test("/go/<slug> counts up to 100 visits per network or IPv6 /48 in 24 hours, whatever the user agents", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  for (let i = 0; i < 110; i++) await visit(app, slug, { userAgent: `${BROWSER} ${i}` });
  assertEquals(await clicks(app, slug), 100);
  await visit(app, slug, { address: addressOf(77) });
  assertEquals(await clicks(app, slug), 101, "another network has its own");
  for (let i = 0; i < 110; i++) {
    await visit(app, slug, { address: `2001:db8:1:${i.toString(16)}::1` });
  }
  assertEquals(await clicks(app, slug), 201);
  await visit(app, slug, { address: "2001:db8:2::1" });
  assertEquals(await clicks(app, slug), 202);
  app.clock.advance(DAY_MS - 1);
  await visit(app, slug);
  assertEquals(await clicks(app, slug), 202);
  app.clock.advance(1);
  await visit(app, slug);
  assertEquals(await clicks(app, slug), 203);
});

Deno.test("all clicks of one IPv4 address rank below 20 votes of 20 networks", async () => {
  await using app = await testApp();
  const { project: clicked } = await submit(app, { name: "Clicked" });
  const { project: voted } = await submit(app, { name: "Voted" });
  for (let i = 0; i < 300; i++) {
    await visit(app, clicked.slug, { userAgent: `${BROWSER} ${i % 30}` });
  }
  for (let i = 0; i < 20; i++) {
    const address = `192.0.2.${i}`;
    await app.json(`/api/v1/projects/${voted.slug}/vote`, { method: "POST", address });
  }
  app.clock.advance(HOUR_MS);
  const { body } = await app.json("/api/v1/projects?sort=hot");
  assertEquals(body.projects.map(({ slug }: { slug: string }) => slug), ["voted", "clicked"]);
});

Deno.test("/go/<slug> counts HTTP clients and headless browsers immediately, because agents use them", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const clients = [
    "",
    "curl/8.5.0",
    "Deno/2.9.6",
    "node",
    "python-requests/2.31.0",
    "python-httpx/0.27.0",
    "Python/3.11 aiohttp/3.9.1",
    "Go-http-client/1.1",
    "axios/1.7.2",
    "okhttp/4.12.0",
    "PostmanRuntime/7.36.0",
    "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
  ];
  for (const [i, userAgent] of clients.entries()) {
    await visit(app, slug, { userAgent });
    assertEquals([userAgent, await clicks(app, slug)], [userAgent, i + 1]);
  }
  for (
    const userAgent of [
      "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
      "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
      "facebookexternalhit/1.1",
      "WhatsApp/2.0",
      "Mozilla/5.0 (compatible; Nameless/1.0; +http://crawl.example.com)",
    ]
  ) {
    await visit(app, slug, { userAgent });
    assertEquals([userAgent, await clicks(app, slug)], [userAgent, clients.length]);
  }
});

Deno.test("/go/<slug> counts fetches on behalf of AI users, but no AI crawlers", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const counted = async (userAgent: string, headers: Record<string, string> = {}) => {
    const before = await clicks(app, slug);
    await visit(app, slug, { userAgent, headers });
    return await clicks(app, slug) > before;
  };
  for (
    const crawler of [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
      "OAI-SearchBot/1.0; +https://openai.com/searchbot",
      "PerplexityBot/1.0",
      "CCBot/2.0 (https://commoncrawl.org/faq/)",
    ]
  ) assertEquals(await counted(crawler), false, crawler);
  for (
    const fetcher of [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
      "Claude-User (claude-code/2.1; +https://support.anthropic.com/)",
      "Perplexity-User/1.0",
      "Cursor/1.0",
    ]
  ) assertEquals(await counted(fetcher), true, fetcher);
  assertEquals(await counted("GPTBot/1.2", { "x-agent-name": "Scout" }), true);
});

Deno.test("up to a thousand visits per network per hour count, across all listings", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const { visits } = app.deps;
  const set = visits.set.bind(visits);
  // Each counted visit weighs as much as 500.
  visits.set = (holder, count, hour) => set(holder, count + 499, hour);
  for (let i = 0; i < 3; i++) assertEquals((await visit(app, slug)).status, 302);
  assertEquals(await clicks(app, slug), 2);
  await visit(app, slug, { address: addressOf(1) });
  assertEquals(await clicks(app, slug), 3);
  app.clock.advance(HOUR_MS);
  await visit(app, slug);
  assertEquals(await clicks(app, slug), 4);
});
