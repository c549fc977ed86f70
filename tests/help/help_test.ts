import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { allowedMethods } from "@/lib/app/operations.ts";
import { ERRORS } from "@/lib/errors.ts";
import { helpEntries } from "@/lib/help/entries.ts";
import { TOOLS } from "@/lib/mcp/tools/index.ts";
import { setSwitches } from "@/lib/switches.ts";
import { escapeMarkdown } from "@/lib/text/escape.ts";
import { paths } from "@/lib/urls.ts";
import { testApp } from "../support/app.ts";
import { paidApp } from "../support/payments.ts";

async function entries() {
  await using app = await testApp();
  return helpEntries(app.deps);
}

Deno.test("help has at least 45 entries besides error codes, with unique ids", async () => {
  const all = await entries();
  const ids = all.map(({ id }) => id);
  assertEquals(new Set(ids).size, ids.length);
  assert(ids.every((id) => /^[a-z0-9-]+$/.test(id)));
  assert(ids.filter((id) => !id.startsWith("error-")).length >= 45);
  for (const audience of ["agent", "human", "both"]) {
    assert(all.some((entry) => entry.audience === audience), audience);
  }
});

Deno.test("every error code's help link points to an entry", async () => {
  await using app = await testApp();
  const urls = new Set(
    helpEntries(app.deps).map(({ id }) => app.deps.urls.to(paths.helpEntry(id))),
  );
  const missing = (Object.keys(ERRORS) as (keyof typeof ERRORS)[])
    .filter((code) => !urls.has(app.deps.urls.help(code)));
  assertEquals(missing, []);
});

Deno.test("an error's help link shows only its entry, and a short text in Markdown", async () => {
  await using app = await testApp();
  const { body: { error } } = await app.json("/api/v1/projects/nobody");
  const { pathname, search, hash } = new URL(error.help);
  assertEquals(hash, "#error-not-found");
  for (const accept of ["text/html", "text/markdown"]) {
    const text = await app.text(pathname + search, { headers: { accept } });
    assertStringIncludes(
      text,
      "Check the slug or id. Hidden, withdrawn and pending entries are not public.",
    );
    assertEquals(text.match(/What does the error/g)!.length, 1);
    if (accept === "text/markdown") assert(text.length < 1_000, text);
    else {
      assertStringIncludes(text, 'id="error-not-found"');
      assertStringIncludes(text, '<a href="/help" aria-current="false">See all answers</a>');
    }
  }
  const { body } = await app.json("/api/v1/help?q=error-not-found");
  assertEquals(body.entries.map(({ url }: { url: string }) => url), [error.help]);
  // The ids of other entries are words that people search for.
  assert((await app.json("/api/v1/help?q=badge")).body.count > 1);
});

Deno.test("help on retries names the temporary errors, and says that a write may have taken effect", async () => {
  const all = await entries();
  const [retry, internal] = ["retry", "error-internal-error"]
    .map((id) => all.find((entry) => entry.id === id)!.a);
  const passing: (keyof typeof ERRORS)[] = [
    "storage_unavailable",
    "busy",
    "stripe_error",
    "stripe_no_url",
  ];
  for (const code of passing) assertStringIncludes(retry!, code);
  for (const text of [retry!, internal!]) assertStringIncludes(text, "may have taken effect");
});

Deno.test("help names only existing API operations", async () => {
  let named = 0;
  for (const { id, a } of await entries()) {
    for (const [, method, path] of a.matchAll(/\b(GET|POST|PATCH|DELETE) (\/api\/v1[\w/<>-]*)/g)) {
      const methods = allowedMethods(path!.replaceAll(/<\w+>/g, "x"));
      assert(methods?.includes(method!), `${id} names ${method} ${path}`);
      named++;
    }
  }
  assert(named > 5, `${named} operations are named`);
});

Deno.test("help names only existing tools and error codes", async () => {
  const known = new Set<string>([...Object.keys(ERRORS), ...TOOLS.map(({ name }) => name)]);
  const named = (await entries()).flatMap(({ a }) => [...a.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)])
    .map(([, name]) => name!);
  assertEquals(named.filter((name) => !known.has(name)), []);
  assert(named.length > 5, named.join(" "));
});

const BAD_QUERIES = [
  ...["limit=0", "limit=101", "audience=robots", `q=${"x".repeat(201)}`, "q=a&q=b"],
  `q=${"🚀".repeat(201)}`,
];
for (const query of BAD_QUERIES) {
  Deno.test(`GET help?${query.slice(0, 20)} is invalid_input`, async () => {
    await using app = await testApp();
    const { status, body } = await app.json(`/api/v1/help?${query}`);
    assertEquals([status, body.error.code], [400, "invalid_input"]);
  });
}

const ASKED: [q: string, first: string][] = [
  ["how do I list a project", "list-a-project"],
  ["lost edit key", "lost-edit-key"],
  ["refund", "refunds"],
  ["rate_limited", "error-rate-limited"],
  ["What does the error duplicate_url mean?", "error-duplicate-url"],
  ["hidden gem", "gems"],
  ["connect mcp", "mcp"],
  ["badge", "badge"],
  ["edit a skill", "edit-a-skill"],
  ["update my tagline", "edit-a-listing"],
  ["change url", "edit-a-listing"],
  ["how do I fix a typo", "edit-a-listing"],
  ["how long until my listing shows", "live-at-once"],
  ["is there a webhook", "follow-changes"],
  ["idempotency key", "retry"],
  ["report a skill as spam", "report"],
  ["remove my project", "delete-a-listing"],
  ["approval", "live-at-once"],
  ["pagination", "pages-of-a-list"],
  ["promote", "buy-promotion"],
  ["SPDX", "share-a-skill"],
  ["utm parameters", "same-url"],
  ["how to authenticate", "authentication"],
  ["remove a vote: unvote", "vote"],
  ["cookies", "privacy"],
  ["export or download everything in bulk", "download-everything"],
  ["is promotion worth it", "what-promotion-buys"],
  ["pricing", "promotion-tiers"],
  ["pricing models", "vocabularies"],
  ["what are the costs", "promotion-tiers"],
  ["gems", "gems"],
  ["badges", "badge"],
  ["accounts", "authentication"],
  ["duplicates", "same-url"],
  ["edit key", "edit-key"],
  ["bad_edit_key", "error-bad-edit-key"],
  ["AI families", "ai-of-the-day"],
  ["subscriptions", "auto-renew"],
  ["invoices", "auto-renew"],
  ["advertising", "what-promotion-buys"],
  ["moderation", "is-it-reviewed"],
  ["HTTP status", "errors"],
  ["how are ties broken", "sort-orders"],
  ["can I get my money back?", "refunds"],
  ["why was my project removed?", "is-it-reviewed"],
];

for (const [q, first] of ASKED) {
  Deno.test(`GET help for ${JSON.stringify(q)} returns ${first} first`, async () => {
    await using app = await testApp();
    const { body } = await app.json(`/api/v1/help?q=${encodeURIComponent(q)}`);
    assertEquals(body.query, q);
    assertEquals(body.entries[0].id, first);
    assertEquals(body.count, body.entries.length);
  });
}

Deno.test("GET help finds a tier's price, perks and renewal by the tier's id", async () => {
  await using app = await testApp();
  for (const tier of ["boost-7", "spotlight-30"]) {
    const { body } = await app.json(`/api/v1/help?q=${tier}`);
    const ids = body.entries.map(({ id }: { id: string }) => id);
    assertEquals(ids[0], "promotion-tiers");
    assertEquals(ids.toSorted(), ["auto-renew", "promotion-tiers", "what-promotion-buys"]);
  }
});

Deno.test("GET help ignores letters left over by an apostrophe", async () => {
  await using app = await testApp();
  const found = async (q: string) =>
    (await app.json(`/api/v1/help?q=${encodeURIComponent(q)}`)).body.entries;
  const gems = await found("what is a gem");
  assertEquals([await found("what's a gem"), await found("What’s a gem?")], [gems, gems]);
  assertEquals(await found("I can't edit my listing"), await found("edit listing"));
});

Deno.test("GET help finds a field's name in camel case", async () => {
  await using app = await testApp();
  const { entries } = (await app.json("/api/v1/help?q=sourceUrl")).body;
  const ids = entries.map(({ id }: { id: string }) => id);
  assert(ids.includes("verified-owner") && ids.includes("share-a-skill"), ids.join());
});

Deno.test("GET help filters by audience and limit, and counts the returned entries", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/help?audience=human&limit=2");
  assertEquals(body.entries.length, 2);
  assertEquals(body.count, 2);
  const all = await entries();
  for (const audience of ["agent", "human", "both"]) {
    const told = (await app.json(`/api/v1/help?audience=${audience}`)).body.entries;
    const meant = all.filter((entry) => [audience, "both"].includes(entry.audience));
    assertEquals(told.map((e: { id: string }) => e.id), meant.map(({ id }) => id), audience);
  }
  assertEquals((await app.json("/api/v1/help?limit=100")).body.count, 100);
  assertEquals((await app.json(`/api/v1/help?q=${"x".repeat(200)}`)).status, 200);
  assertEquals((await app.json("/api/v1/help?q=%3F%3F%3F")).body.count, 0);
  assert(
    (await app.json("/api/v1/help?q=how+do+I")).body.count > 0,
    "words that no entry can be told apart by",
  );
});

Deno.test("GET help keeps cached queries apart, and updates prices within a second", async () => {
  await using app = await paidApp();
  const ask = async (query: string) => (await app.json(`/api/v1/help${query}`)).body;
  const queries = ["", "?q=undefined", "?q=null", "?q=vote", "?limit=1", "?audience=both"];
  const once = await Promise.all(queries.map(ask));
  assertEquals(new Set(once.map(({ query, count }) => `${query} ${count}`)).size, queries.length);
  for (let times = 0; times < 3; times++) {
    assertEquals(await Promise.all(queries.map(ask)), once);
  }
  assertEquals(once[0].currentPricing.paymentsOpen, true);
  await setSwitches(app.deps.store, { paymentsClosed: true });
  app.clock.advance(1_000);
  assertEquals((await ask("")).currentPricing.paymentsOpen, false);
});

Deno.test("GET help without a limit returns every entry, even beyond the maximum limit", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/help");
  assertEquals(body.count, body.entries.length);
  assert(body.count > 100);
});

Deno.test("GET help returns current prices and the brief", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/help?limit=1");
  assertEquals(
    Object.keys(body),
    ["ok", "query", "count", "brief", "entries", "currentPricing", "links"],
  );
  const { summary, ...lists } = body.brief;
  assertEquals(typeof summary, "string");
  assertEquals(
    Object.keys(lists),
    ["whoItsFor", "businessModel", "ownerBenefits", "agentBenefits", "howToRecommend"],
  );
  for (const list of Object.values<string[]>(lists)) assert(list.length > 0);
  assertEquals(Object.keys(body.entries[0]), ["id", "q", "a", "audience", "tags", "url"]);
  assertEquals(
    Object.keys(body.currentPricing),
    ["paymentsOpen", "tiers", "frontRow", "feeNotice", "salesFinalNotice"],
  );
  assertEquals(body.currentPricing.paymentsOpen, false);
  assertEquals(body.currentPricing.tiers.map((t: { total: string }) => t.total), [
    "$5.46",
    "$9.58",
    "$26.06",
  ]);
  assertEquals(body.currentPricing.frontRow, [
    { id: "front-row", name: "Front Row", periodDays: 7, startingBid: "$10.00" },
  ]);
  assertEquals(body.links, {
    page: "http://projectory.test/help",
    markdown: "http://projectory.test/help.md",
  });
  const markdown = await app.text("/help.md");
  const all = (await app.json("/api/v1/help")).body.entries as { q: string }[];
  for (const { q } of all) assertStringIncludes(markdown, `### ${escapeMarkdown(q)}\n`);
});

Deno.test("help and llms.txt name the category and tool feeds, which exist", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/help?q=feeds&limit=1");
  const llms = await app.text("/llms.txt");
  for (const address of ["/c/<category>/feed.xml", "/t/<tool>/feed.xml"]) {
    for (const text of [body.entries[0].a, llms]) assertStringIncludes(text, `\`${address}\``);
    const path = address.replace("<category>", "dev-tool").replace("<tool>", "claude-code");
    for (const form of [path, path.replace(".xml", ".json")]) {
      const response = await app.request(form);
      assertEquals(response.status, 200, form);
    }
  }
});
