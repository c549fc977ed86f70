import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { themeOverride } from "@/lib/ai_of_the_day/schema.ts";
import { jobs, runJob } from "@/lib/app/crons.ts";
import { createDeps } from "@/lib/app/deps.ts";
import { releaseOf } from "@/lib/auctions/operations.ts";
import { DAY_MS, delay, MINUTE_MS } from "@/lib/clock.ts";
import { SettingError } from "@/lib/env.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import type { Change } from "@/lib/kv/store.ts";
import { LIMITS } from "@/lib/limits.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { runCli } from "@/lib/operator/cli.ts";
import { commands } from "@/lib/operator/commands.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { queueOperation } from "@/lib/payments/operations.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import type { Standing, WriteIns } from "@/lib/poll/schema.ts";
import { skillKeys } from "@/lib/skills/keys.ts";
import type { StoredSkill } from "@/lib/skills/schema.ts";
import { urlKey } from "@/lib/text/url_identity.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { faultKv } from "../support/fault_kv.ts";
import { kvWith, overtakenKv } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { operator, operatorJson } from "../support/operator.ts";
import { share } from "../support/skills.ts";

for (
  const [args, message] of [
    [["nothing"], "There is no area nothing"],
    [["--json"], "Choose an area: listings, gems"],
    [["listings"], "listings needs a verb: list, show"],
    [["listings", "burn"], "listings has no verb burn"],
    [["listings", "hide"], "This command takes <slug>"],
    [["gems", "drop", "a", "b"], "This command takes <slug>"],
    [["listings", "hide", "a", "--reason", "mood"], "--reason must be one of: terms, spam"],
    [["listings", "hide", "a", "--force"], "Unknown option '--force'"],
    [["listings", "hide", "--network", "a", "--network", "b"], "Give --network only once"],
    [
      ["listings", "hide", "a", "--network", "b"],
      "This command takes <slug>... or filters, not both",
    ],
    [["gems", "set", "a"], "--note is required"],
    [["gems", "set", "a", "--note", " "], "--note is required"],
    [["listings", "list", "--limit", "ten"], "--limit must be a whole number, 1 or more"],
    [["log", "--limit=-5"], "--limit must be a whole number, 1 or more"],
    [["log", "--limit", "0"], "--limit must be a whole number, 1 or more"],
    [["status", "more"], "This command takes no argument"],
    [["checkins", "list", "today"], "Enter a UTC day such as 2026-03-04, not today"],
    [["reasons", "hide", "2026-02-30", "none"], "UTC day such as 2026-03-04, not 2026-02-30"],
  ] as [string[], string][]
) {
  Deno.test(`operator ${args.join(" ")} exits with status 2 and says why`, async () => {
    await using app = await testApp();
    const { status, stdout, stderr } = await operator(app, ...args);
    assertEquals([status, stdout], [2, ""]);
    assertStringIncludes(stderr, message);
  });
}

Deno.test("operator shows how to write the command that was meant, or where to look it up", async () => {
  await using app = await testApp();
  for (
    const [args, advice] of [
      [
        ["listings", "hide", "a", "--force"],
        "Usage: deno task operator listings hide <slug>... [--",
      ],
      [["gems", "set", "a"], "Usage: deno task operator gems set <slug> --note NOTE\n"],
      [["status", "more"], "Usage: deno task operator status\n"],
      [["listings", "burn"], "See: deno task operator listings --help\n"],
      [["nothing"], "See: deno task operator --help\n"],
    ] as [string[], string][]
  ) {
    const { stderr } = await operator(app, ...args);
    assertStringIncludes(stderr, `\n${advice}`);
  }
});

Deno.test("operator --help lists every command with its summary, even for an unknown area", async () => {
  await using app = await testApp();
  const { status, stdout } = await operator(app, "--help");
  assertEquals(status, 0);
  assertEquals((await operator(app, "listing", "--help")).stdout, stdout);
  const ofArea = (await operator(app, "gems", "--help")).stdout;
  assertEquals(ofArea.match(/^ {2}\w+ \w+/gm), ["  gems set", "  gems drop"]);
  for (const verb of [["set"], ["set", "sample"], ["set", "--note", "--dry-run"]]) {
    const ofVerb = (await operator(app, "gems", ...verb, "--help")).stdout;
    assertEquals(ofVerb.match(/^ {2}\w+ \w+/gm), ["  gems set"]);
  }
  assertEquals((await operator(app, "gems", "put", "--help")).stdout, ofArea);
  assertStringIncludes(stdout, "After an area or a command, --help shows only that");
  for (const { area, verb = "", summary } of commands) {
    assertStringIncludes(stdout, `${area} ${verb}`.trim());
    assertStringIncludes(stdout, summary);
  }
});

for (
  const [args, message] of [
    [["listings", "hide", "sample"], "There is no listing with the slug sample"],
    [["listings", "show", "sample"], "There is no listing with the slug sample"],
    [["skills", "hide", "sample"], "There is no skill with the slug sample"],
    [["gems", "set", "sample", "--note", "x"], "There is no live listing with the slug sample"],
    [["checkins", "hide", "2026-03-04", "Ada"], "Ada did not check in on 2026-03-04"],
    [
      ["reasons", "hide", "2026-03-04", "r1"],
      "There is no public reason with the id r1 on 2026-03-04",
    ],
    [["listings", "free", "sample"], "There is no listing with the slug sample"],
    [["writeins", "remove", "Olmo"], "The poll has no write-in named Olmo"],
    [["reports", "close", "r1"], "There is no open report with the id r1"],
    [
      ["theme", "override", "pink"],
      `The theme must be one of: ${themeOverride.options.join(", ")}`,
    ],
    [
      ["auctions", "show", "front-row-1999-01-01"],
      "There is no auction with the id front-row-1999-01-01",
    ],
  ] as [string[], string][]
) {
  Deno.test(`operator ${args.join(" ")} is refused, says what doesn't exist and logs nothing`, async () => {
    await using app = await testApp();
    const { status, stdout, stderr } = await operator(app, ...args);
    assertEquals([status, stdout, stderr], [1, "", `Refused: ${message}\n`]);
    const asJson = await operator(app, ...args, "--json");
    assertEquals([asJson.status, JSON.parse(asJson.stdout).ok], [1, false]);
    assertEquals((await app.json("/api/v1/operator-log")).body.total, 0);
  });
}

for (
  const [note, message] of [
    ["two\nlines", "The note must not contain line breaks"],
    ["x".repeat(70_000), "The note must have at most 200 characters, not 70,000"],
    ["\u200b", "The note must not be empty"],
  ] as [string, string][]
) {
  Deno.test(`operator gems set refuses a note: ${message}`, async () => {
    await using app = await testApp();
    const { project: { slug } } = await submit(app);
    const { status, stderr } = await operator(app, "gems", "set", slug, "--note", note);
    assertEquals([status, stderr], [1, `Refused: ${message}\n`]);
    assertEquals((await app.json(`/api/v1/projects/${slug}`)).body.project.gem, null);
  });
}

Deno.test("a listing that the operator hides keeps its URL and votes, and comes back with them", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app, { url: "https://canary.example.com" });
  await app.json(`/api/v1/projects/${slug}/vote`, { method: "POST" });
  const hidden = await operator(app, "listings", "hide", slug, "--reason", "spam");
  assertEquals(hidden, { status: 0, stdout: `${slug} is hidden\n`, stderr: "" });

  assertEquals((await app.request(`/api/v1/projects/${slug}`)).status, 404);
  const again = await app.json("/api/v1/projects", {
    json: { name: "Again", url: "https://canary.example.com", tagline: "x" },
  });
  assertEquals([again.status, again.body.error.details], [409, { slug }]);

  const twice = await operator(app, "listings", "hide", slug);
  assertEquals(twice.stdout, `${slug} is already hidden; nothing changed\n`);
  await operator(app, "listings", "unhide", slug);
  assertEquals((await app.json(`/api/v1/projects/${slug}`)).body.project.votes, 1);
  const log = (await app.json("/api/v1/operator-log")).body;
  assertEquals(log.actions, [
    { kind: "listing_unhidden", reason: null, day: "2026-03-04" },
    { kind: "listing_hidden", reason: "spam", day: "2026-03-04" },
  ]);
});

Deno.test("listings free lets others list a hidden listing's URL, and unhide works until they do", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app, {
    name: "Taken",
    url: "https://taken.example.com",
  });
  const list = (name: string) =>
    app.json("/api/v1/projects", {
      json: { name, url: "https://www.taken.example.com/", tagline: "By its owner" },
    });
  const free = () => operator(app, "listings", "free", slug);
  const unhide = () => operator(app, "listings", "unhide", slug);
  assertEquals(await free(), {
    status: 1,
    stdout: "",
    stderr: "Refused: taken is live, but only a hidden listing's URL can be freed\n",
  });

  await operator(app, "listings", "hide", slug);
  assertEquals((await free()).stdout, "The URL of taken is free\n");
  assertEquals((await free()).stdout, "The URL of taken is already free; nothing changed\n");
  await unhide();
  assertEquals((await list("Owner")).body.error.details, { slug });

  await operator(app, "listings", "hide", slug);
  await free();
  assertEquals((await list("Taken")).body.project.slug, "taken-2");
  assertEquals(await unhide(), {
    status: 1,
    stdout: "",
    stderr: "Refused: The URL of taken is now listed as taken-2\n",
  });
  assertEquals((await free()).stdout, "The URL of taken is already free; nothing changed\n");
  assertEquals((await list("Owner")).body.error.details, { slug: "taken-2" });
  assertEquals((await app.json(`/api/v1/projects/${slug}`)).status, 404);

  await operator(app, "review", "on");
  const waiting = (await submit(app, { name: "Waiting" })).project;
  assertEquals(
    (await operator(app, "listings", "free", waiting.slug)).stderr,
    "Refused: waiting is pending, but only a hidden listing's URL can be freed\n",
  );
});

Deno.test("listings free and unhide don't take a URL that another process just gave away", async () => {
  const { kv, others, overtake } = await overtakenKv();
  await using app = await testApp({ kv });
  const { project: { slug } } = await submit(app, {
    name: "Taken",
    url: "https://taken.example.com",
  });
  const key = listingKeys.one(slug);
  const urlHeld = listingKeys.byUrl(urlKey("https://taken.example.com"));
  const live = (await others.get<StoredListing>(key)).value!;
  const hidden: StoredListing = { ...live, state: "hidden" };
  const holder = async () => (await others.get(urlHeld)).value;

  await others.set(key, hidden);
  overtake(() => others.set(key, live));
  assertMatch((await operator(app, "listings", "free", slug)).stderr, /is live/);
  assertEquals(await holder(), slug);

  await others.set(key, hidden);
  overtake(() => others.set(urlHeld, "another"));
  assertMatch((await operator(app, "listings", "free", slug)).stdout, /already/);
  assertEquals(await holder(), "another");

  await others.delete(urlHeld);
  overtake(() => others.set(urlHeld, "another"));
  assertMatch((await operator(app, "listings", "unhide", slug)).stderr, /now listed as another/);
  assertEquals(await holder(), "another");
});

Deno.test("writeins remove keeps a name that another process just added, and can't remove an empty slot", async () => {
  const { kv, others, overtake } = await overtakenKv();
  await using app = await testApp({ kv });
  await others.set(pollKeys.writeIns, { names: ["Olmo", "Junk"] });
  overtake(() => others.set(pollKeys.writeIns, { names: ["Olmo", "Junk", "Yi"] }));
  assertEquals((await operator(app, "writeins", "remove", "Junk")).status, 0);
  assertEquals((await others.get(pollKeys.writeIns)).value, { names: ["Olmo", "", "Yi"] });
  assertEquals((await operator(app, "writeins", "remove", " ")).status, 1);
});

Deno.test("writeins remove counts a name's votes as Other, makes room for a new one and keeps the totals", async () => {
  await using app = await testApp();
  const vote = (agent: string, writeIn: string, reason?: string) =>
    app.json("/api/v1/poll/vote", {
      json: { candidate: "other", writeIn, reason },
      headers: { "x-agent-name": agent },
    });
  await vote("A", "Olmo 3");
  await vote("B", "Buy gold", "Cheap");
  await vote("C", "-1 Junk");
  const names = Array.from({ length: LIMITS.writeInNames - 3 }, (_, i) => `Name ${i}`);
  await app.deps.store.transact(async (tx) => {
    const { value } = await tx.get<WriteIns>(pollKeys.writeIns);
    tx.set(pollKeys.writeIns, { names: [...value!.names, ...names] });
  });
  assertEquals((await vote("D", "Apertus")).body.error.code, "write_in_limit");
  const standings = async () => {
    const { body } = await app.json("/api/v1/poll?window=today&group=all");
    const { totals, standings } = body.standings.today;
    const rows = standings.all.map((row: Standing) => [row.id, row.name, row.writeIn, row.votes]);
    return [totals.all, rows];
  };
  const olmo = ["write-in-1", "Olmo 3", true, 1];
  assertEquals(await standings(), [3, [
    olmo,
    ["write-in-2", "Buy gold", true, 1],
    ["write-in-3", "-1 Junk", true, 1],
  ]]);

  const done = await operator(app, "writeins", "remove", "BUY GOLD", "--reason", "spam");
  assertEquals(done, { status: 0, stdout: "Buy gold is no longer a write-in\n", stderr: "" });
  await operator(app, "writeins", "remove", "--", "-1 Junk");
  assertEquals(await standings(), [3, [["other", "Other", false, 2], olmo]]);
  const { recentReasons } = (await app.json("/api/v1/poll")).body;
  assertEquals([recentReasons[0].name, recentReasons[0].writeIn], ["Other", null]);
  assertEquals((await operator(app, "writeins", "remove", "Buy gold")).status, 1);

  assertEquals((await vote("D", "Apertus")).body.ballot.name, "Apertus");
  assertEquals((await vote("E", "buy gold")).body.ballot.name, "buy gold");
  assertEquals((await vote("F", "One too many")).body.error.code, "write_in_limit");
  const listed = (await operator(app, "writeins", "list")).stdout.split("\n");
  assertEquals(listed.slice(0, 2), ["1 vote  Olmo 3", "0 votes  Name 0"]);
  assertEquals(listed.slice(-4), ["1 vote  Apertus", "1 vote  buy gold", "200 of 200 names", ""]);
});

Deno.test("under review, submissions wait: approve publishes one with the current time, refuse doesn't", async () => {
  await using app = await testApp();
  await operator(app, "review", "on");
  const first = (await submit(app)).project;
  app.clock.advance(1);
  const second = (await submit(app)).project;
  assertEquals((await app.json(`/api/v1/projects/${first.slug}`)).status, 404);
  const queue = await operatorJson(app, "listings", "list");
  assertEquals(queue.total, 2);
  assertEquals(queue.listings.map(({ slug }: { slug: string }) => slug), [second.slug, first.slug]);
  app.clock.advance(3_600_000);
  assertEquals((await operator(app, "listings", "approve", first.slug)).status, 0);
  assertEquals(
    (await operator(app, "listings", "refuse", second.slug, "--reason", "spam")).status,
    0,
  );
  const { body } = await app.json(`/api/v1/projects/${first.slug}`);
  const { createdAt, updatedAt } = body.project;
  const now = new Date(app.clock.now()).toISOString();
  assertEquals({ createdAt, updatedAt }, { createdAt: now, updatedAt: now });
  assertEquals((await app.json(`/api/v1/projects/${second.slug}`)).status, 404);
  const wrong = await operator(app, "listings", "approve", second.slug);
  assertEquals(wrong.status, 1);
  assertStringIncludes(wrong.stderr, "is hidden, but approve is for pending listings");
  assertStringIncludes(
    (await operator(app, "listings", "refuse", second.slug)).stdout,
    "is already refused",
  );
  await operator(app, "listings", "hide", first.slug);
  const late = await operator(app, "listings", "refuse", first.slug);
  assertEquals(late.status, 1);
  assertStringIncludes(late.stderr, "is hidden, but refuse is for pending listings");
});

Deno.test("the first unhide of a listing that was never public sets createdAt, even without the log", async () => {
  await using app = await testApp();
  await operator(app, "review", "on");
  for (const verb of ["refuse", "hide"]) {
    const { project: { slug } } = await submit(app);
    const unhidden = async () => {
      app.clock.advance(3_600_000);
      const emptied = app.deps.store.kv.atomic();
      const changes = app.deps.store.list({ prefix: storeKeys.changes });
      for await (const { key } of changes) emptied.delete(key);
      await emptied.commit();
      assertEquals((await operator(app, "listings", "unhide", slug)).status, 0);
      return Date.parse((await app.json(`/api/v1/projects/${slug}`)).body.project.createdAt);
    };
    await operator(app, "listings", verb, slug);
    const { changes } = (await app.json("/api/v1/changes")).body;
    assertEquals(changes.filter((change: { slug: string }) => change.slug === slug), [], verb);
    const first = await unhidden();
    assertEquals(first, app.clock.now());
    await operator(app, "listings", "hide", slug);
    assertEquals(await unhidden(), first);
  }
});

Deno.test("submissions pause and resume take effect on the next submission", async () => {
  await using app = await testApp();
  await operator(app, "submissions", "pause");
  const json = { name: "A", url: "https://a.example.com", tagline: "b" };
  const refused = await app.json("/api/v1/projects", { json });
  assertEquals([refused.status, refused.body.error.code], [503, "submissions_paused"]);
  const { stdout } = await operator(app, "submissions", "pause");
  assertEquals(stdout, "Submissions are paused; nothing changed\n");
  assertEquals((await app.json("/api/v1/operator-log")).body.total, 1, "told once");
  await operator(app, "submissions", "resume");
  assertEquals((await app.json("/api/v1/projects", { json })).status, 201);
});

Deno.test("operator theme override says if daily themes are off", async () => {
  await using app = await testApp();
  const said = async (...args: string[]) => (await operator(app, "theme", ...args)).stdout;
  assertEquals(await said("override", "amber"), "Today's theme is amber\n");
  await operator(app, "theme", "off");
  assertEquals(await said("override", "xai"), "Once daily themes are on, today's theme is xai\n");
  assertEquals(await said("clear"), "Once daily themes are on, today's theme is the winner's\n");
  await operator(app, "theme", "on");
  assertEquals(
    await said("clear"),
    "Today's theme is the winner's; nothing changed\n",
  );
});

Deno.test("operator theme logs nothing if nothing changes", async () => {
  await using app = await testApp();
  const changes = async (...args: string[]) => (await operatorJson(app, "theme", ...args)).changed;
  assertEquals([await changes("on"), await changes("clear")], [false, false]);
  assertEquals([await changes("off"), await changes("off")], [true, false]);
  assertEquals([await changes("on"), await changes("on")], [true, false]);
  assertEquals(
    [await changes("override", "amber"), await changes("override", "amber")],
    [true, false],
  );
  assertEquals(await changes("override", "xai"), true);
  assertEquals([await changes("clear"), await changes("clear")], [true, false]);
  const { body } = await app.json("/api/v1/operator-log");
  assertEquals(body.actions.map((action: { kind: string }) => action.kind), [
    "theme_override_cleared",
    "theme_overridden",
    "theme_overridden",
    "theme_on",
    "theme_off",
  ]);
});

Deno.test("a report waits in the queue, is never public, and closing it is logged", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const report = { kind: "listing", slug, reason: "broken", note: "canary-note" };
  const filed = await app.json("/api/v1/reports", { json: report });
  assertEquals([filed.status, filed.body.report.slug], [201, slug]);
  const list = await operator(app, "reports", "list");
  assertStringIncludes(list.stdout, "broken  canary-note");
  assertEquals((await operator(app, "reports", "close", filed.body.report.id)).status, 0);
  assertEquals((await operator(app, "reports", "list")).stdout, "0 open\n");
  const log = await app.text("/api/v1/operator-log");
  assertStringIncludes(log, "report_closed");
  assert(!log.includes("canary"));
});

Deno.test("operator reports close closes several reports at once", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const ids: string[] = [];
  for (const reason of ["spam", "broken"]) {
    const { body } = await app.json("/api/v1/reports", { json: { kind: "listing", slug, reason } });
    ids.push(body.report.id);
  }
  const { status, stdout } = await operator(app, "reports", "close", ...ids);
  assertEquals([status, stdout.split("\n").at(-2)], [0, "2 changed, 0 unchanged, 0 refused"]);
  assertEquals((await operator(app, "reports", "list")).stdout, "0 open\n");
});

Deno.test("a report's note can't break out of its row in the queue", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const note = "The site is gone\n\n01m7zzzzzz  listing other  spam\n0 open";
  await app.json("/api/v1/reports", { json: { kind: "listing", slug, reason: "broken", note } });
  const rows = (await operator(app, "reports", "list")).stdout.trimEnd().split("\n");
  assertEquals([rows.length, rows[1]], [2, "1 open"]);
  const json = await operatorJson(app, "reports", "list");
  assertEquals(json.reports[0].note, note);
});

for (
  const [problem, json, code] of [
    ["an unknown slug", { kind: "listing", slug: "none", reason: "spam" }, "not_found"],
    ["an unknown reason", { kind: "listing", slug: "a", reason: "mood" }, "invalid_input"],
    ["an unknown kind", { kind: "page", slug: "a", reason: "spam" }, "invalid_input"],
    ["a note of 501 characters", {
      kind: "listing",
      slug: "a",
      reason: "spam",
      note: "x".repeat(501),
    }, "invalid_input"],
  ] as const
) {
  Deno.test(`POST /api/v1/reports refuses ${problem} with ${code}`, async () => {
    await using app = await testApp();
    const { body } = await app.json("/api/v1/reports", { json });
    assertEquals(body.error.code, code);
  });
}

Deno.test("skills list and checkins list show hidden and held entries", async () => {
  await using app = await testApp();
  const skill = await share(app, { title: "Put away", summary: "For the operator" });
  for (const agentName of ["Bea", "Ada"]) {
    await app.json("/api/v1/guestbook", { json: { agentName, catchphrase: `I am ${agentName}` } });
    app.clock.advance(1_000);
  }
  const list = async (...args: string[]) => (await operator(app, ...args)).stdout.split("\n");
  assertEquals(await list("skills", "list"), ["0 hidden", ""]);
  await operator(app, "skills", "hide", skill.slug);
  await operator(app, "checkins", "hide", "2026-03-04", "ada");
  const network = /2026-03-04\.[\w-]{22} {2}/;
  const skills = await list("skills", "list");
  assertMatch(skills[0]!, network);
  assertEquals(skills.map((line) => line.replace(network, "")), [
    "2026-03-04T12:00:00.000Z  put-away  For the operator",
    "1 hidden",
    "",
  ]);
  const checkIns = await list("checkins", "list", "2026-03-04");
  assertEquals(checkIns.filter((line) => network.test(line)).length, 2);
  assertEquals(checkIns.map((line) => line.replace(network, "")), [
    "2026-03-04T12:00:00.000Z  shown   Bea  I am Bea",
    "2026-03-04T12:00:01.000Z  hidden  Ada  I am Ada",
    "2 check-ins",
    "",
  ]);
  const [from, until] = ["2026-03-04T12:00:00Z", "2026-03-04T12:00:01Z"];
  await operator(app, "checkins", "hold", "--from", from, "--until", until);
  assertMatch(
    (await list("checkins", "list", "2026-03-04"))[0]!,
    /Z {2}held {4}\S+ {2}Bea {2}I am Bea$/,
  );
  await operator(app, "checkins", "release");
  const said = async (...args: string[]) => (await operator(app, ...args)).stdout;
  assertEquals(await said("skills", "unhide", skill.slug), "put-away is live\n");
  assertEquals(
    await said("checkins", "unhide", "2026-03-04", "ada"),
    "The check-in of ada on 2026-03-04 is shown\n",
  );
});

Deno.test("a name that starts with a dash can follow --, even the name of an option", async () => {
  await using app = await testApp();
  for (const agentName of ["-rf", "--help", "--json"]) {
    await app.json("/api/v1/guestbook", { json: { agentName, catchphrase: `I am ${agentName}` } });
    const { stdout } = await operator(app, "checkins", "hide", "2026-03-04", "--", agentName);
    assertEquals(stdout, `The check-in of ${agentName} on 2026-03-04 is hidden\n`);
  }
  assertStringIncludes((await operator(app, "--help")).stdout, "after --");
});

Deno.test("payments open says that nothing can be sold if the key is missing", async () => {
  await using app = await testApp();
  const { stdout } = await operator(app, "payments", "open");
  assertStringIncludes(stdout, "but nothing can be sold until STRIPE_SECRET_KEY");
});

Deno.test("every command with an action writes nothing in a dry run, then is logged exactly once", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app, { contactEmail: "ada@acted.example.com" });
  const pending = "waits";
  const skill = (await share(app, { author: "Ada" })).slug;
  for (const path of [`projects/${slug}`, `skills/${skill}`]) {
    await app.request(`/api/v1/${path}/vote`, { method: "POST" });
  }
  const signed = await app.json("/api/v1/guestbook", {
    json: { agentName: "Ada", catchphrase: "Hello" },
  });
  assertEquals(signed.status, 201);
  await app.json("/api/v1/poll/vote", { json: { candidate: "claude", reason: "Plain words" } });
  await app.json("/api/v1/poll/vote", {
    json: { candidate: "other", writeIn: "Olmo" },
    headers: { "x-agent-name": "Ada" },
  });
  const [pointer] = await Array.fromAsync(
    app.deps.store.list<{ day: string }>({ prefix: pollKeys.reasons }),
  );
  const report = (await app.json("/api/v1/reports", {
    json: { kind: "skill", slug: skill, reason: "other" },
  })).body.report.id;

  await app.deps.store.transact((tx) =>
    queueOperation(tx, releaseOf({ bidId: "bid_1", intentId: "pi_1" }))
  );
  await app.deps.store.transact(async (tx) => {
    const { key, value } = await tx.get<StoredSkill>(skillKeys.one(skill));
    tx.set(key, { ...value!, updatedAt: TEST_NOW + DAY_MS });
  });
  const span = ["--from", "2026-03-04T00:00:00Z", "--until", "2026-03-05T00:00:00Z"];
  const network = `2026-03-04.${"x".repeat(22)}`;
  const runs: string[][] = [
    ["dates", "correct"],
    ["review", "on"],
    ["listings", "approve", pending],
    ["listings", "refuse", `${pending}-2`],
    ["listings", "requeue", `${pending}-2`],
    ["review", "off"],
    ["gems", "set", slug, "--note", "Well made"],
    ["gems", "drop", slug],
    ["listings", "rekey", slug],
    ["listings", "hide", slug],
    ["listings", "free", slug],
    ["listings", "unhide", slug],
    ["listings", "hold", slug, ...span],
    ["listings", "release", slug],
    ["skills", "hold", skill, ...span],
    ["skills", "release", skill],
    ["skills", "rekey", skill],
    ["skills", "hide", skill],
    ["skills", "unhide", skill],
    ["checkins", "hide", "2026-03-04", "ada"],
    ["checkins", "unhide", "2026-03-04", "Ada"],
    ["checkins", "hold", ...span],
    ["checkins", "release"],
    ["ballots", "hold", ...span],
    ["ballots", "release"],
    ["reasons", "hide", pointer!.value.day, pointer!.key.at(-1) as string],
    ["agents", "hide", "ada"],
    ["agents", "unhide", "ada"],
    ["writeins", "remove", "Olmo"],
    ["networks", "block", network],
    ["networks", "unblock", network],
    ["submissions", "pause"],
    ["submissions", "resume"],
    ["payments", "close"],
    ["payments", "open"],
    ["payments", "retry"],
    ["theme", "off"],
    ["theme", "on"],
    ["theme", "override", "amber"],
    ["theme", "clear"],
    ["reports", "close", report],
    ["forget", "email", "bo2@waits.example.com"],
    ["forget", "listing", pending],
    ["forget", "name", "Ada"],
    ["forget", "domain", "waits2.example.com"],
    ["forget", "skill", skill],
  ];
  const dump = async () =>
    (await Array.fromAsync(app.deps.store.kv.list({ prefix: [] })))
      .map(({ key, versionstamp }) => [key, versionstamp]);
  for (const args of runs) {
    const before = await dump();
    const dry = await operator(app, ...args, "--dry-run");
    assertEquals([dry.status, dry.stderr], [0, ""], args.join(" "));
    assertStringIncludes(dry.stdout, "Dry run: nothing was written");
    assertEquals(await dump(), before, args.join(" "));
    const { status, stderr } = await operator(app, ...args);
    assertEquals([status, stderr], [0, ""], args.join(" "));
    if (args[0] !== "review" || args[1] !== "on") continue;
    for (const i of [1, 2]) {
      await submit(app, {
        name: "Waits",
        url: `https://waits${i}.example.com`,
        contactEmail: `bo${i}@waits.example.com`,
      });
    }
  }
  const { body } = await app.json("/api/v1/operator-log?limit=100");
  const logged = body.actions.map((action: { kind: string }) => action.kind).sort();
  // This one needs a backup: tests/operator/restore_test.ts has it.
  const expected = commands.map(({ action }) => action)
    .filter((action) => action !== undefined && action !== "listing_restored").sort();
  assertEquals(logged, expected);
});

Deno.test("a command without an action prints text, or JSON without the key's hash, and writes nothing", async () => {
  await using app = await testApp();
  await submit(app, {
    name: "Seen",
    url: "https://seen.example.com",
    contactEmail: "ada@seen.example.com",
    submittedBy: "Ada",
  });
  await share(app, { title: "Seen" });
  const { open, upcoming } = (await app.json("/api/v1/auctions")).body;
  const given: Record<string, string> = {
    slug: "seen",
    day: "2026-03-04",
    name: "Ada",
    domain: "seen.example.com",
    address: "ada@seen.example.com",
    id: [...open, ...upcoming][0].id,
  };
  const dump = () => Array.fromAsync(app.deps.store.kv.list({ prefix: [] }));
  const before = await dump();
  for (const { area, verb, args = [], options = {}, action, runsOthers } of commands) {
    if (action !== undefined || runsOthers) continue;
    const line = [area, ...(verb === undefined ? [] : [verb]), ...args.map((name) => given[name]!)];
    if ("state" in options) line.push("--state", "live");
    const { status, stdout, stderr } = await operator(app, ...line);
    assert(!/At": \d/.test(stdout), `${line.join(" ")}: ${stdout}`);
    assertEquals([status, stderr], [0, ""], line.join(" "));
    assert(stdout.length > 1, line.join(" "));
    const asJson = (await operator(app, ...line, "--json")).stdout;
    const { ok, dryRun } = JSON.parse(asJson);
    assertEquals([ok, dryRun, asJson.includes("keyHash")], [true, false, false], line.join(" "));
    assertEquals(await dump(), before, `${line.join(" ")}: give the command an action`);
  }
});

Deno.test("operator reports KV's error if a write fails", async () => {
  const { kv, faults } = faultKv(await Deno.openKv(":memory:"), { seed: 1, rates: {} });
  await using app = await testApp({ kv });
  faults.rates = { throw_before: 1 };
  const { status, stderr } = await operator(app, "review", "on");
  assertEquals(status, 1);
  assert(/^Refused: Storage is .* safe to retry \([^\n]+\)\n$/.test(stderr), stderr);
});

Deno.test("operator payments retry is one action in the public log for all that it retries", async () => {
  await using app = await testApp();
  const { store } = app.deps;
  await store.transact(async (tx) => {
    await queueOperation(tx, releaseOf({ bidId: "bid_1", intentId: "pi_1" }));
    const doubt = { id: "in_1", object: "in_1", checkoutId: "ord_1", slug: "a", at: TEST_NOW };
    tx.set(paymentKeys.doubt("in_1"), doubt, { expireIn: MINUTE_MS });
  });
  const { stdout } = await operator(app, "payments", "retry");
  assertStringIncludes(stdout, "Retrying 1 operation, checking 1 payment");
  const { body } = await app.json("/api/v1/operator-log");
  assertEquals(body.actions.map(({ kind }: { kind: string }) => kind), ["payments_retried"]);
});

Deno.test("operator waits until a late commit is logged again, so that servers notice it", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const { env, clock, store } = app.deps;
  let commits = 0;
  let isClosed = false;
  const kv = kvWith(store.kv, {
    close: () => isClosed = true,
    async commit(land) {
      // The machine was suspended between creating the ids and the commit.
      if (++commits === 1) app.clock.advance(5 * MINUTE_MS);
      else await delay(5);
      assert(!isClosed);
      return await land();
    },
  });
  await runCli(["listings", "hide", slug], {
    env,
    clock,
    createDeps,
    openKv: () => Promise.resolve(kv),
  });
  const changes = store.list<Change>({ prefix: storeKeys.changes }, { reverse: true, limit: 2 });
  const [again, first] = await Array.fromAsync(changes, ({ value }) => value);
  assertEquals([again!.event, first!.event], ["hidden", "hidden"]);
  assertEquals(again!.at - first!.at, 5 * MINUTE_MS);
});

Deno.test("operator refuses changes while its clock is behind the servers', but can still read", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const settle = jobs.find(({ name }) => name === "settle-payments")!;
  const hide = () => operator(app, "listings", "hide", slug);
  app.clock.advance(59_999);
  await runJob(app.deps, settle);
  app.clock.set(TEST_NOW);
  assertEquals((await hide()).status, 0);
  app.clock.set(TEST_NOW + MINUTE_MS);
  await runJob(app.deps, settle);
  app.clock.set(TEST_NOW);
  assertEquals((await hide()).status, 1);
  app.clock.set(TEST_NOW + 12 * MINUTE_MS);
  await runJob(app.deps, settle);
  app.clock.set(TEST_NOW);
  const unhide = () => operator(app, "listings", "unhide", slug);
  assertEquals(await unhide(), {
    status: 1,
    stdout: "",
    stderr:
      "Refused: This machine's clock is 12 minutes behind the servers, so they would miss the change. Correct the clock\n",
  });
  assertEquals((await operator(app, "listings", "show", slug)).status, 0);
  // A server's clock that was ahead is corrected: its next run shows that.
  await runJob(app.deps, settle);
  assertEquals((await unhide()).status, 0);
  // Or its health check does, even if a rare job last ran while the clock was ahead.
  const daily = jobs.find(({ name }) => name === "ai-of-the-day")!;
  app.clock.set(TEST_NOW + 14 * DAY_MS);
  await runJob(app.deps, daily);
  app.clock.set(TEST_NOW + 10_000);
  assertEquals((await hide()).status, 1);
  await app.request("/api/v1/health");
  assertEquals((await hide()).status, 0);
});

Deno.test("operator refuses a database with another schema version, and changes nothing", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  await app.deps.store.kv.atomic().set([...storeKeys.schemaVersion], 9).commit();
  await assertRejects(
    () => operator(app, "listings", "hide", slug, "--reason", "spam"),
    SettingError,
    "schema version 9",
  );
  assertEquals((await app.request(`/api/v1/projects/${slug}`)).status, 200);
});
