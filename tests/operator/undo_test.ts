import { assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS, isoTime } from "@/lib/clock.ts";
import type { StoredUndo } from "@/lib/operator/actions.ts";
import { operatorKeys } from "@/lib/operator/keys.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { operator, operatorJson } from "../support/operator.ts";
import { share } from "../support/skills.ts";

async function done(app: TestApp, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await operator(app, ...args);
  assertEquals([status, stderr], [0, ""], args.join(" "));
  return stdout;
}

const stateOf = async (app: TestApp, slug: string) =>
  (await operatorJson(app, "listings", "show", slug)).listing.state;

const kinds = async (app: TestApp) =>
  (await app.json("/api/v1/operator-log")).body.actions.map(({ kind }: { kind: string }) => kind);

Deno.test("operator undo reverses the whole last command, then the one before, and nothing in a dry run", async () => {
  await using app = await testApp();
  for (const name of ["One", "Two", "Three"]) await submit(app, { name });
  await done(app, "submissions", "pause");
  await done(app, "listings", "hide", "one", "two", "--reason", "spam");
  const at = isoTime(app.clock.now());
  const dry = await done(app, "undo", "--dry-run");
  const what = `Reversing listing_hidden of ${at}\none is live\ntwo is live\n2 changed`;
  assertStringIncludes(dry, `Dry run: nothing was written\n${what}`);
  app.clock.advance(HOUR_MS);
  assertEquals([await stateOf(app, "one"), await stateOf(app, "two")], ["hidden", "hidden"]);
  assertStringIncludes(await done(app, "undo"), `${what}, 0 unchanged, 0 refused`);
  assertEquals([await stateOf(app, "one"), await stateOf(app, "two")], ["live", "live"]);
  assertEquals((await kinds(app)).slice(0, 4), [
    "listing_unhidden",
    "listing_unhidden",
    "listing_hidden",
    "listing_hidden",
  ]);
  assertStringIncludes(
    await done(app, "undo"),
    `Reversing submissions_paused of ${at}\nSubmissions are open`,
  );
  const none = await operator(app, "undo");
  assertEquals([none.status, none.stderr], [
    1,
    "Refused: Nothing to undo from the last 7 days\n",
  ]);
});

Deno.test("operator undo puts an approved, refused or hidden pending listing back in the review queue", async () => {
  await using app = await testApp();
  await done(app, "review", "on");
  await submit(app, { name: "Fresh" });
  for (const verb of ["approve", "refuse", "hide"]) {
    await done(app, "listings", verb, "fresh");
    await done(app, "undo");
    assertEquals(await stateOf(app, "fresh"), "pending", verb);
    assertEquals((await app.json("/api/v1/projects/fresh")).status, 404);
  }
  const { changes } = (await app.json("/api/v1/changes")).body;
  assertEquals(changes.map(({ event }: { event: string }) => event), ["hidden"]);
});

Deno.test("operator undo says what it can't undo, and the next undo continues after a refusal", async () => {
  await using app = await testApp();
  const { slug } = (await submit(app, { name: "One" })).project;
  await submit(app, { name: "Two" });
  await done(app, "listings", "hide", "two");
  await done(app, "listings", "hide", slug);
  await done(app, "listings", "rekey", slug);
  await done(app, "forget", "listing", slug);
  const refused = await operator(app, "undo");
  assertEquals(refused.status, 1);
  assertStringIncludes(refused.stdout, "Refused: listings unhide one: one is withdrawn");
  assertEquals(
    refused.stdout.match(/^.+ is more recent, .+$/gm),
    ["listing_rekeyed", "listing_forgotten"].map((kind) =>
      `${kind} of ${isoTime(app.clock.now())} is more recent, but can't be undone`
    ),
  );
  assertStringIncludes(await done(app, "undo"), "two is live");
});

Deno.test("operator undo reverses commands on skills, agents, check-ins, blocks, themes and gems", async () => {
  await using app = await testApp();
  const skill = await share(app);
  await submit(app, { name: "One" });
  await app.json("/api/v1/guestbook", { json: { agentName: "Ada", catchphrase: "Here" } });
  await app.json("/api/v1/poll/vote", {
    json: { candidate: "grok" },
    headers: { "x-agent-name": "Ada" },
  });
  const { network } = (await operatorJson(app, "listings", "show", "one")).listing;
  await done(app, "networks", "block", network, "--days", "3", "--reason", "spam");
  await done(app, "theme", "override", "amber");
  for (
    const [args, back] of [
      [["skills", "hide", skill.slug, "--reason", "spam"], `${skill.slug} is live`],
      [["agents", "hide", "Ada", "--reason", "spam"], "Ada is shown"],
      [["checkins", "hide", "2026-03-04", "Ada"], "The check-in of Ada on 2026-03-04 is shown"],
      [["networks", "block", network, "--days", "30"], `${isoTime(app.clock.now() + 3 * DAY_MS)}`],
      [["networks", "unblock", network], `${isoTime(app.clock.now() + 3 * DAY_MS)}`],
      [["theme", "off"], "Daily themes are on"],
      [["theme", "clear"], "Today's theme is amber"],
      [["review", "on"], "Review is off"],
      [["payments", "close"], "Payments are open"],
      [["gems", "set", "one", "--note", "Good"], "one is no longer a gem"],
    ] as const
  ) {
    await done(app, ...args);
    assertStringIncludes(await done(app, "undo"), back);
  }
  assertStringIncludes(await done(app, "undo"), "Today's theme is the winner's");
  assertStringIncludes(await done(app, "undo"), `${network} can write again`);
  assertEquals((await kinds(app)).filter((kind: string) => kind.endsWith("_unhidden")), [
    "check_in_unhidden",
    "poll_agent_unhidden",
    "skill_unhidden",
  ]);
});

Deno.test("operator undo releases what the last hold held, and nothing from another hold", async () => {
  await using app = await testApp();
  await submit(app, { name: "One" });
  const spans: string[][] = [];
  for (let hour = 0; hour < 2; hour++) {
    const from = app.clock.now();
    await app.json("/api/v1/projects/one/vote", { method: "POST", address: `198.51.100.${hour}` });
    await app.json("/api/v1/poll/vote", { json: { candidate: "grok" }, address: `10.0.0.${hour}` });
    await app.json("/api/v1/guestbook", { json: { agentName: `A${hour}`, catchphrase: "Hi" } });
    app.clock.advance(HOUR_MS);
    spans.push(["--from", isoTime(from), "--until", isoTime(app.clock.now())]);
  }
  for (const area of [["listings", "hold", "one"], ["ballots", "hold"], ["checkins", "hold"]]) {
    for (const span of spans) assertStringIncludes(await done(app, ...area, ...span), "1 ");
    assertStringIncludes(await done(app, "undo"), "released");
    const { held } = await operatorJson(app, area[0]!, "held");
    assertEquals(held.length, 1, area[0]);
    assertStringIncludes(await done(app, ...area.with(1, "release")), "1 ");
  }
});

Deno.test("operator undo refuses a command from an earlier version, but only once", async () => {
  await using app = await testApp();
  await done(app, "submissions", "pause");
  await done(app, "review", "on");
  const undos = await Array.fromAsync(
    app.deps.store.list<StoredUndo>({ prefix: operatorKeys.undos }),
  );
  const { key, value } = undos.at(-1)!;
  await app.deps.store.transact((tx) =>
    tx.set(key, { ...value, verb: "lift" }, { expireIn: DAY_MS })
  );
  const refused = await operator(app, "undo");
  assertEquals(refused.status, 1);
  assertStringIncludes(refused.stdout, "Refused: review lift: This command no longer exists");
  assertStringIncludes(await done(app, "undo"), "Submissions are open");
});

Deno.test("forgetting a name deletes the stored undo that contains it", async () => {
  await using app = await testApp();
  await app.json("/api/v1/guestbook", { json: { agentName: "Ada", catchphrase: "Here" } });
  await done(app, "checkins", "hide", "2026-03-04", "Ada");
  await done(app, "forget", "name", "ada");
  assertEquals(await Array.fromAsync(app.deps.store.list({ prefix: operatorKeys.undos })), []);
});
