import { assertEquals } from "@std/assert";
import { createDeps } from "@/lib/app/deps.ts";
import { HOUR_MS } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import type { News } from "@/lib/kv/store.ts";
import { skillKind } from "@/lib/skills/catalogue.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { TEST_SETTINGS, type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { rpc } from "../support/mcp.ts";
import { share } from "../support/skills.ts";
import { storedSkill } from "../support/stored_skill.ts";

const path = "/api/v1/skills";

/** A second process on an app's KV: the app gets its commits only as foreign news. */
function otherProcess(app: TestApp) {
  const { kv } = app.deps.store;
  const deps = createDeps(parseEnv(TEST_SETTINGS), { kv, clock: app.clock, salt: "x".repeat(40) });
  deps.store.subscribe((news) => {
    const { payload: _, ...rest } = { payload: undefined, ...news };
    app.deps.store.tell({ ...rest, foreign: true });
  });
  return deps;
}

Deno.test("SkillCatalogue reflects what another process hides, restores and counts", async () => {
  await using app = await testApp();
  const { slug } = await share(app, { title: "Seen by two" });
  const other = otherProcess(app);
  await other.sync.load();
  const listed = async () => {
    await app.deps.sync.caughtUp();
    const { body } = await app.json(path);
    return body.skills.map((
      skill: { votes: number; copies: number },
    ) => [skill.votes, skill.copies]);
  };
  await other.store.transact((tx) => {
    tx.sum(["skill_vote_counts", slug, "up"], 1n);
    tx.pulse({ kind: "skill_vote", slug, delta: 1 });
  });
  await app.request(`${path}/${slug}/copy`, { method: "POST" });
  assertEquals(await listed(), [[1, 1]]);
  await setSkillHidden(other, { slug, hidden: true });
  assertEquals(await listed(), []);
  await setSkillHidden(other, { slug, hidden: false });
  assertEquals(await listed(), [[1, 1]]);
  assertEquals((await app.json(`${path}?q=seen`)).body.total, 1);
});

Deno.test("a skill that another process shared and withdrew within a moment isn't shown from a cache", async () => {
  const kv = await Deno.openKv(":memory:");
  await using one = await testApp({ kv: kvWith(kv, { close() {} }) });
  await using other = await testApp({ kv });
  const unheard: News[] = [];
  other.deps.store.subscribe((news) => {
    if (news.type === "change") unheard.push({ ...news, payload: undefined, foreign: true });
  });
  const { slug, editKey } = await share(other);
  const statuses = async () => {
    const formats = ["json", "raw", "md", "diff"].map((format) =>
      one.request(`${path}/${slug}?format=${format}`)
    );
    return (await Promise.all(formats)).map(({ status }) => status);
  };
  assertEquals(await statuses(), [200, 200, 200, 200]);
  const { status } = await other.request(`${path}/${slug}`, { method: "DELETE", editKey });
  assertEquals(status, 200);
  unheard.forEach((news) => one.deps.store.tell(news));
  await one.deps.sync.caughtUp();
  assertEquals(await statuses(), [404, 404, 404, 404]);
});

Deno.test("votes and clicks of a project with a skill's slug don't count for the skill", async () => {
  await using app = await testApp();
  const { slug } = await share(app, { title: "Inkwell" });
  assertEquals((await submit(app, { name: "Inkwell" })).project.slug, slug);
  await app.request(`/api/v1/projects/${slug}/vote`, { method: "POST" });
  await app.request(`/go/${slug}`);
  const { votes, copies } = app.deps.skills.get(slug)!;
  assertEquals([votes, copies], [0, 0]);
});

Deno.test("a vote in another process changes a skill's count, but not the index", async () => {
  await using app = await testApp();
  const { skills } = app.deps;
  const { slug } = await share(app);
  const { slug: rival } = await share(app);
  await skills.indexText();
  const other = otherProcess(app);
  await other.store.transact((tx) => {
    tx.sum(voteKeys.count("skill", slug, "up"), 1n);
    tx.pulse({ kind: "skill_vote", slug, delta: 1 });
  });
  await app.deps.sync.caughtUp();
  const top = { sort: "top", limit: 100, offset: 0 } as const;
  assertEquals(
    skills.list(top).items.map((skill) => [skill.slug, skill.votes]),
    [[slug, 1], [rival, 0]],
  );
  assertEquals(skills.unindexed, 0);
  await setSkillHidden(other, { slug, hidden: true });
  await app.deps.sync.caughtUp();
  assertEquals(skills.size, 1);
});

Deno.test("SkillCatalogue has the same state after a restart, including counts and search", async () => {
  await using app = await testApp();
  for (let i = 0; i < 5; i++) {
    const { slug } = await share(app, { title: `Kept ${i}` });
    for (let voter = 0; voter <= i; voter++) {
      const options = { method: "POST", userAgent: `voter-${voter}` };
      await app.request(`${path}/${slug}/vote`, options);
      await app.request(`${path}/${slug}/copy`, options);
    }
    await app.request(`${path}/${slug}/vote`, { method: "DELETE", userAgent: "voter-0" });
    if (i === 4) await setSkillHidden(app.deps, { slug, hidden: true });
  }
  const restarted = otherProcess(app);
  await restarted.sync.load();
  const query = { q: "kept", sort: "top", limit: 100, offset: 0 } as const;
  assertEquals(restarted.skills.list(query), app.deps.skills.list(query));
  assertEquals(
    restarted.skills.list(query).items.map(({ votes, copies }) => [votes, copies]),
    [
      [3, 4],
      [2, 3],
      [1, 2],
      [0, 1],
    ],
  );
});

Deno.test("GET skills finds a new skill by a mistyped word immediately", async () => {
  await using app = await testApp();
  await share(app, { title: "Terraform" });
  assertEquals((await app.json("/api/v1/skills?q=terrafrom")).body.total, 1);
});

Deno.test("a vote removed before this process heard of it never shows a negative count (invariant 3)", async () => {
  await using app = await testApp();
  const { slug } = await share(app);
  // As stored by another process, which this one hasn't heard of yet.
  await app.deps.store.kv.atomic().sum(voteKeys.count("skill", slug, "up"), 1n).commit();
  await app.deps.store.transact((tx) => {
    tx.sum(voteKeys.count("skill", slug, "down"), 1n);
    tx.pulse({ kind: "skill_vote", slug, delta: -1 });
  });
  for (const address of [path, `${path}/${slug}`]) {
    const { body } = await app.json(address);
    assertEquals((body.skill ?? body.skills[0]).votes, 0);
  }
});

Deno.test("SkillCatalogue keeps the filtered lists of each order apart", async () => {
  await using app = await testApp();
  for (const title of ["Voted", "Copied"]) await share(app, { title, kind: "prompt" });
  await app.request(`${path}/voted/vote`, { method: "POST" });
  await app.request(`${path}/copied/copy`, { method: "POST" });
  for (let asked = 0; asked < 3; asked++) {
    for (const [sort, first] of [["top", "voted"], ["copied", "copied"]] as const) {
      const query = { sort, kind: "prompt", limit: 1, offset: 0 } as const;
      assertEquals(app.deps.skills.list(query).items[0]!.slug, first);
    }
  }
});

Deno.test("topSince returns skills shared since a time, most votes first", async () => {
  await using app = await testApp();
  const { skills } = app.deps;
  const now = app.clock.now();
  const { put } = skillKind(skills);
  for (let i = 0; i < 1_000; i++) {
    const stored = storedSkill(`skill-${i}`, { createdAt: now - i * HOUR_MS });
    put({ stored, extras: [] }, { votes: i % 4, uses: 0 });
  }
  const since = (hours: number, limit: number) =>
    skills.topSince(now - hours * HOUR_MS, limit).map(({ slug }) => slug);
  assertEquals(since(6, 3), ["skill-3", "skill-2", "skill-6"]);
  assertEquals(since(0, 3), ["skill-0"]);
  assertEquals(since(-1, 3), []);
  assertEquals(since(900, 1_000).length, 901);
});

Deno.test("skill searches wait until startup has indexed the text", async () => {
  await using app = await testApp();
  const { skills, store } = app.deps;
  for (let i = 0; i < 600; i++) {
    const stored = storedSkill(`skill-${i}`, { title: `Planner ${i}` });
    const at = stored.createdAt;
    const change = { id: `${i}`, at, kind: "skill", slug: stored.slug, event: "created" };
    store.tell({ type: "change", change, payload: stored } as News);
  }
  const indexed = Promise.withResolvers<void>();
  const indexText = skills.indexText.bind(skills);
  skills.indexText = () => indexed.promise.then(indexText);
  const ref = { type: "ref/resource", uri: "directory://skill/{slug}" };
  const argument = { name: "slug", value: "planner" };
  const asked = [
    app.json(`${path}?q=planner`).then(({ body }) => body.total),
    app.request("/skills?q=planner").then((answer) => answer.text())
      .then((html) => Number(/(\d+) skills/.exec(html)?.[1])),
    rpc(app, "tools/call", { name: "search_skills", arguments: { query: "planner" } })
      .then(({ body }) => body.result.structuredContent.total),
    rpc(app, "completion/complete", { ref, argument })
      .then(({ body }) => body.result.completion.total),
  ];
  // Requests that don't search are served in the meantime.
  assertEquals((await app.json(path)).body.total, 600);
  assertEquals(skills.unindexed, 600);
  indexed.resolve();
  assertEquals(await Promise.all(asked), Array(asked.length).fill(600));
});
