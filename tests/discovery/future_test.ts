import { assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "@/lib/clock.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { operator, operatorJson } from "../support/operator.ts";
import { share } from "../support/skills.ts";

async function slugs(app: TestApp, query: string): Promise<string[]> {
  const { body } = await app.json(`/api/v1/${query}`);
  return (body.projects ?? body.skills).map(({ slug }: { slug: string }) => slug);
}

/** Submits a project and shares a skill while the clock is two weeks ahead, then corrects it. */
async function shareAhead(app: TestApp): Promise<void> {
  app.clock.advance(14 * DAY_MS);
  await submit(app, { name: "Ahead" });
  await share(app, { title: "Ahead skill" });
  app.clock.advance(-14 * DAY_MS);
}

for (const isRestarted of [false, true]) {
  Deno.test(`entries dated two weeks ahead don't stay on top${isRestarted ? ", even after a restart" : ""}`, async () => {
    await using app = await testApp();
    await submit(app, { name: "Before" });
    await shareAhead(app);
    if (isRestarted) {
      app.deps.catalogue.beginLoad();
      app.deps.skills.beginLoad();
      await app.deps.sync.load();
      app.deps.catalogue.endLoad();
      app.deps.skills.endLoad();
    }
    assertEquals(await slugs(app, "projects?sort=new"), ["ahead", "before"]);
    const { project } = (await app.json("/api/v1/projects/ahead")).body;
    assertEquals(project.createdAt, isoTime(app.clock.now()));
    app.clock.advance(MINUTE_MS);
    await submit(app, { name: "After" });
    await share(app, { title: "After skill" });
    assertEquals(await slugs(app, "projects?sort=new"), ["after", "ahead", "before"]);
    assertEquals(await slugs(app, "skills?sort=new"), ["after-skill", "ahead-skill"]);
    app.clock.advance(5 * HOUR_MS);
    await submit(app, { name: "Later" });
    assertEquals((await slugs(app, "projects?sort=hot"))[0], "later");
    const { body } = await app.json("/api/v1/projects?sort=hot&explain=1");
    const scores = body.projects.map((
      { slug, explain }: { slug: string; explain: { ageHours: number } },
    ) => [slug, Math.round(explain.ageHours)]);
    assertEquals(new Map(scores).get("ahead"), 5);
  });
}

Deno.test("check-ins and reasons dated in the future aren't shown yet", async () => {
  await using app = await testApp();
  const sign = (agentName: string) =>
    app.json("/api/v1/guestbook", { json: { agentName, catchphrase: "Here" } });
  const vote = (agent: string) =>
    app.json("/api/v1/poll/vote", {
      json: { candidate: "claude", reason: `${agent} says so` },
      headers: { "x-agent-name": agent },
    });
  app.clock.advance(14 * DAY_MS);
  await sign("Ahead");
  await vote("Ahead");
  app.clock.advance(-14 * DAY_MS);
  await sign("Ada");
  await vote("Ada");
  app.clock.advance(2_000);
  const { recent } = (await app.json("/api/v1/guestbook")).body;
  assertEquals(recent.map(({ agentName }: { agentName: string }) => agentName), ["Ada"]);
  const { recentReasons } = (await app.json("/api/v1/poll")).body;
  assertEquals(recentReasons.map(({ agentName }: { agentName: string }) => agentName), ["Ada"]);
});

Deno.test("changes dated in the future aren't shown until then", async () => {
  await using app = await testApp();
  const slugsOf = async (query = "") => {
    app.clock.advance(2_000);
    const { changes, nextSince } = (await app.json(`/api/v1/changes${query}`)).body;
    return { nextSince, slugs: changes.map(({ slug }: { slug: string }) => slug) };
  };
  await submit(app, { name: "Before" });
  await shareAhead(app);
  await submit(app, { name: "After" });
  const { slugs, nextSince } = await slugsOf("?limit=2");
  assertEquals(slugs, ["before", "after"]);
  await submit(app, { name: "Later" });
  assertEquals((await slugsOf(`?since=${nextSince}`)).slugs.includes("later"), true);
  assertEquals((await slugsOf("?since=2026-03-01T00:00:00Z")).slugs, ["before", "after", "later"]);
  app.clock.advance(14 * DAY_MS);
  assertEquals((await slugsOf("?limit=2")).slugs, ["ahead", "ahead-skill"]);
});

Deno.test("operator dates correct sets future dates to now, and lists them", async () => {
  await using app = await testApp();
  await submit(app, { name: "Before" });
  await shareAhead(app);
  const ahead = isoTime(app.clock.now() + 14 * DAY_MS);
  const dry = await operator(app, "dates", "correct", "--dry-run");
  assertStringIncludes(
    dry.stdout,
    `${ahead}  listing  ahead\n${ahead}  skill  ahead-skill\n2 corrected`,
  );
  const done = await operator(app, "dates", "correct");
  assertEquals(done.status, 0);
  const stored = await operatorJson(app, "listings", "show", "ahead");
  assertEquals([stored.listing.createdAt, stored.listing.updatedAt], [
    app.clock.now(),
    app.clock.now(),
  ]);
  assertStringIncludes(
    (await operator(app, "dates", "correct")).stdout,
    "Nothing is dated in the future",
  );
  assertEquals((await app.json("/api/v1/operator-log")).body.total, 1);
});
