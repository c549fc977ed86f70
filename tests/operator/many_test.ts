import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createDeps } from "@/lib/app/deps.ts";
import { DAY_MS, HOUR_MS, isoTime } from "@/lib/clock.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { runCli } from "@/lib/operator/cli.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { inFolder } from "../support/folder.ts";
import { callTool } from "../support/mcp.ts";
import { operator, operatorJson, operatorReading } from "../support/operator.ts";
import { share } from "../support/skills.ts";

const list = (app: TestApp, name: string, url: string, address: string) =>
  app.json("/api/v1/projects", { json: { name, url, tagline: "One" }, address });

async function live(app: TestApp): Promise<string[]> {
  const { body } = await app.json("/api/v1/projects?sort=new");
  return body.projects.map(({ slug }: { slug: string }) => slug).sort();
}

/** Submits one listing, then three from one IPv6 /48 on two domains. Returns when these began. */
async function flood(app: TestApp): Promise<string> {
  await list(app, "Good", "https://good.example", "198.51.100.1");
  app.clock.advance(HOUR_MS);
  const since = isoTime(app.clock.now());
  await list(app, "Spam 1", "https://spam.example/1", "2001:db8:5:1::1");
  await list(app, "Spam 2", "https://www.spam.example/2", "2001:db8:5:2::1");
  await list(app, "Spam 3", "https://notspam.example", "2001:db8:5:3::1");
  return since;
}

Deno.test("hide and unhide take slugs, standard input or filters, and log each listing", async () => {
  await using app = await testApp();
  const since = await flood(app);
  const all = ["good", "spam-1", "spam-2", "spam-3"];
  const { network } = (await operatorJson(app, "listings", "show", "spam-1")).listing;
  assert(network.startsWith("2026-03-04."));
  const { listings } = await operatorJson(app, "listings", "list", "--state", "live");
  const networks = listings.map((listing: { network: string }) => listing.network === network);
  assertEquals(networks, [true, true, true, false]);
  for (
    const [args, left] of [
      [["spam-1", "spam-3"], ["good", "spam-2"]],
      [["--since", since], ["good"]],
      [["--network", network], ["good"]],
      [["--domain", "spam.example"], ["good", "spam-3"]],
      [["--domain", "spam.example", "--since", since, "--network", network], ["good", "spam-3"]],
    ] as const
  ) {
    const dry = await operator(app, "listings", "hide", ...args, "--reason", "spam", "--dry-run");
    assertStringIncludes(dry.stdout, `${all.length - left.length} changed, 0 unchanged, 0 refused`);
    assertEquals(await live(app), all);
    const before = (await app.json("/api/v1/operator-log")).body.total;
    assertEquals((await operator(app, "listings", "hide", ...args, "--reason", "spam")).status, 0);
    assertEquals(await live(app), left);
    const hidden = all.filter((slug) => !(left as readonly string[]).includes(slug));
    const { body } = await app.json("/api/v1/operator-log");
    assertEquals(body.total - before, hidden.length);
    assertEquals(body.actions[0], { kind: "listing_hidden", reason: "spam", day: "2026-03-04" });
    const again = await operatorReading(app, hidden.join("\n"), "listings", "unhide", "-");
    assertEquals(again.status, 0);
    assertEquals(await live(app), all);
  }
  const none = await operator(app, "listings", "hide");
  assertEquals(none.status, 2);
  assertStringIncludes(none.stderr, "This command takes <slug>...");
});

Deno.test("a command refuses an IP address in place of a network's pseudonym", async () => {
  await using app = await testApp();
  for (
    const args of [
      ["listings", "hide", "--network"],
      ["skills", "hide", "--network"],
      ["checkins", "hide", "2026-03-04", "--network"],
      ["networks", "block"],
    ]
  ) {
    const { status, stderr } = await operator(app, ...args, "198.51.100.1");
    const message = "Enter a network as show prints it, such as 2026-03-04.k3Jq…, not 198.51.100.1";
    assertEquals([status, stderr], [1, `Refused: ${message}\n`], args.join(" "));
  }
});

Deno.test("a network's pseudonym is the same for a /48, changes daily and isn't public", async () => {
  await using app = await testApp();
  await flood(app);
  app.clock.advance(DAY_MS);
  await list(app, "Spam 4", "https://spam4.example", "2001:db8:5:4::1");
  const stored = new Map<string, string>();
  for await (const { value } of app.deps.store.list<StoredListing>({ prefix: listingKeys.all })) {
    stored.set(value.slug, value.network!);
  }
  assertEquals(stored.get("spam-1"), stored.get("spam-2"));
  assert(stored.get("spam-1")!.slice(11) !== stored.get("spam-4")!.slice(11));
  for (const path of ["/api/v1/projects", "/api/v1/projects/spam-1", "/p/spam-1", "/feed.json"]) {
    const text = await app.text(path);
    for (const network of stored.values()) assert(!text.includes(network.slice(11)), path);
  }
});

Deno.test("a blocked network can read but not write via page, API or MCP, until the block ends", async () => {
  await using app = await testApp();
  await flood(app);
  const { slug, skill } = await share(app);
  const { listing } = await operatorJson(app, "listings", "show", "spam-1");
  assertEquals(
    (await operator(app, "networks", "block", listing.network, "--days", "3")).status,
    0,
  );
  app.clock.advance(DAY_MS + HOUR_MS);
  const vote = (address: string) =>
    app.json("/api/v1/projects/good/vote", { method: "POST", address });
  const refused = await vote("2001:db8:5:77::1");
  assertEquals([refused.status, refused.body.error.code], [429, "rate_limited"]);
  assertStringIncludes(
    refused.body.error.message,
    "The operator has blocked this network until 2026-03-07",
  );
  assert(Number(refused.headers.get("retry-after")) > 0);
  assertEquals((await list(app, "More", "https://more.example", "2001:db8:5:9::1")).status, 429);
  const page = await app.request("/p/good/vote", {
    form: {},
    method: "POST",
    address: "2001:db8:5:1::1",
  });
  assertEquals(page.status, 429);
  const address = "2001:db8:5:1::1";
  assertEquals((await app.request("/go/good", { address })).status, 302);
  const { project } = (await app.json("/api/v1/projects/good")).body;
  assertEquals(project.clicks, 0, "it can follow a link, and does not count");
  const overMcp = async (name: string, args: Record<string, unknown>) =>
    JSON.stringify(await callTool(app, name, args, { address }));
  assertStringIncludes(await overMcp("vote_project", { slug: "good" }), "blocked this network");
  assertStringIncludes(await overMcp("get_project", { slug: "good" }), "https://good.example");
  const read = await callTool(app, "get_skill", { slug }, { address });
  assertEquals(read.structuredContent?.content, skill.content);
  assertEquals(read.structuredContent.copies, 0, "an install does not count either");
  assertEquals((await vote("198.51.100.9")).status, 200);
  assertEquals((await app.json("/api/v1/projects", { address: "2001:db8:5:1::1" })).status, 200);
  assertStringIncludes(
    (await operator(app, "networks", "list")).stdout,
    `${listing.network}  until`,
  );
  assertEquals((await operator(app, "networks", "unblock", listing.network)).status, 0);
  app.clock.advance(1_000);
  assertEquals((await vote("2001:db8:5:77::1")).status, 200);
  await operator(app, "networks", "block", listing.network, "--days", "1");
  app.clock.advance(DAY_MS);
  assertEquals((await vote("2001:db8:5:78::1")).status, 200);
});

Deno.test("one command can hide 1,000 listings", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    await using app = await testApp({ kv: await Deno.openKv(path) });
    const { store } = app.deps;
    await list(app, "Spam", "https://spam.example", "198.51.100.1");
    const { value } = await store.get<StoredListing>(listingKeys.one("spam"));
    for (let i = 0; i < 1_000; i += 50) {
      await store.transact((tx) => {
        for (let n = i; n < i + 50; n++) {
          const slug = `spam-${n}`;
          tx.set(listingKeys.one(slug), { ...value!, slug, url: `https://s${n}.example` });
        }
      });
    }
    const { status, stdout } = await runCli(["listings", "hide", "--network", value!.network!], {
      env: app.deps.env,
      clock: app.clock,
      createDeps,
      openKv: () => Deno.openKv(path),
    });
    assertEquals(status, 0);
    assertStringIncludes(stdout, "1001 changed, 0 unchanged, 0 refused");
  });
});
