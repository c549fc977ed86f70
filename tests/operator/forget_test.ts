import { assertEquals, assertStringIncludes } from "@std/assert";
import { verify } from "@/lib/backup/verify.ts";
import { DAY_MS } from "@/lib/clock.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { operator } from "../support/operator.ts";
import { share } from "../support/skills.ts";

/** The kinds of records whose key or value contains a text. */
async function keysWith(app: TestApp, text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, value } of app.deps.store.kv.list({ prefix: [] })) {
    const held = `${JSON.stringify(key)} ${
      Deno.inspect(value, { depth: 9, iterableLimit: 9_999 })
    }`;
    if (held.toLowerCase().includes(text.toLowerCase())) found.push(String(key[0]));
  }
  return [...new Set(found)];
}

const PATHS = [
  "/feed.xml",
  "/feed.json",
  "/sitemap.xml",
  "/guestbook",
  "/poll",
  "/changes",
  "/skills",
  "/projects",
  "/api/v1/guestbook",
  "/api/v1/poll",
  "/api/v1/changes",
  "/llms-full.txt",
  "/ai-of-the-day",
];

async function pagesWith(app: TestApp, text: string): Promise<string[]> {
  const found = [];
  for (const path of PATHS) {
    const body = await app.text(path);
    if (body.toLowerCase().includes(text.toLowerCase())) found.push(path);
  }
  return found;
}

Deno.test("operator forget deletes a listing, a skill and their reports, but their slugs stay taken", async () => {
  await using app = await testApp();
  const json = {
    name: "Zyxproject",
    url: "https://zyxproject.example",
    tagline: "Zyxproject it is",
    description: "Zyxproject",
    contactEmail: "me@zyxproject.example",
    submittedBy: "Zyxproject",
  };
  const { slug } = (await app.json("/api/v1/projects", { json })).body.project;
  const skill = await share(app, {
    title: "Zyxproject skill",
    content: "Do the Zyxproject thing, and do it twice.",
  });
  for (const [kind, of] of [["listing", slug], ["skill", skill.slug]]) {
    await app.json("/api/v1/reports", {
      json: { kind, slug: of, reason: "spam", note: "Zyxproject" },
    });
  }
  await operator(app, "gems", "set", slug, "--note", "Zyxproject");
  assertEquals((await pagesWith(app, "zyxproject")).length > 4, true);
  const dry = await operator(app, "forget", "listing", slug, "--dry-run");
  assertStringIncludes(dry.stdout, `${slug}: 1 listing, 1 report deleted`);
  assertEquals((await operator(app, "forget", "listing", slug)).status, 0);
  assertEquals((await operator(app, "forget", "skill", skill.slug)).status, 0);
  // Markers name the keys that were written, and expire within minutes.
  const slugOnly = ["changes", "listings", "markers", "operator_undos", "pulses", "skills"];
  assertEquals((await keysWith(app, "zyxproject")).filter((key) => !slugOnly.includes(key)), []);
  assertEquals(await keysWith(app, "zyxproject.example"), []);
  assertEquals(await keysWith(app, "zyxproject skill"), []);
  assertEquals(await keysWith(app, "zyxproject it is"), []);
  // The change log keeps the slug, as for everything that was removed.
  assertEquals(await pagesWith(app, "zyxproject"), ["/changes", "/api/v1/changes"]);
  assertEquals((await app.json(`/api/v1/projects/${slug}`)).status, 404);
  assertEquals(await verify(app.deps.store), []);
  const again = await operator(app, "forget", "listing", slug);
  assertStringIncludes(again.stdout, "is already gone");
  const anew = await app.json("/api/v1/projects", { json: { ...json, editKey: undefined } });
  assertEquals(anew.body.project.slug, `${slug}-2`);
});

Deno.test("operator forget name deletes a name from all days in any spelling, but its votes still count", async () => {
  await using app = await testApp();
  const headers = { "x-agent-name": "Zyxagent" };
  for (let day = 0; day < 3; day++) {
    await app.json("/api/v1/guestbook", {
      json: { agentName: "Zyxagent", maker: "OpenAI", catchphrase: "Zyxagent here" },
    });
    await app.json("/api/v1/poll/vote", {
      json: { candidate: "grok", reason: "Zyxagent says so" },
      headers,
    });
    app.clock.advance(DAY_MS);
  }
  await app.json("/api/v1/guestbook", { json: { agentName: "Ada", catchphrase: "Here" } });
  await share(app, { author: "zyxagent" });
  await submit(app, { url: "https://mine.example" }, { headers });
  const done = await operator(app, "forget", "name", "ZYXAGENT");
  assertEquals(
    done.stdout,
    "ZYXAGENT: name deleted from 3 check-ins, 3 ballots, 1 listing, 1 skill\n",
  );
  assertEquals(await keysWith(app, "zyxagent"), []);
  assertEquals(await pagesWith(app, "zyxagent"), []);
  assertEquals(
    (await app.json("/api/v1/poll?window=7d&group=all")).body.standings["7d"].totals.all,
    3,
  );
  assertEquals((await app.json("/api/v1/guestbook")).body.totals.today, 1);
  assertEquals(await verify(app.deps.store), []);
  assertEquals((await operator(app, "forget", "name", "Zyxagent")).status, 1);
});

Deno.test("operator forget email and name reach a hidden listing and a skill, and delete nothing else", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app, {
    description: "Stays",
    submittedBy: "Zyxperson",
    contactEmail: "me@zyxmail.example",
  });
  const headers = { "x-agent-name": "Zyxperson" };
  const { skill } = await share(app, { author: "Zyxperson" }, { headers });
  await operator(app, "listings", "hide", slug);
  await operator(app, "forget", "email", "me@zyxmail.example");
  await operator(app, "forget", "name", "Zyxperson");
  assertEquals((await app.json(`/api/v1/projects/${slug}`)).status, 404);
  await operator(app, "listings", "unhide", slug);
  const { project } = (await app.json(`/api/v1/projects/${slug}`)).body;
  assertEquals([project.submittedBy, project.description], [null, "Stays"]);
  const shown = (await app.json(`/api/v1/skills/${skill.slug}`)).body.skill;
  assertEquals([shown.author, shown.submittedBy, shown.content], [null, null, skill.content]);
  assertEquals([await keysWith(app, "zyxperson"), await keysWith(app, "zyxmail")], [[], []]);
});

Deno.test("operator forget domain deletes everything on a domain, and nothing on another", async () => {
  await using app = await testApp();
  for (
    const [i, url] of [
      "https://zyx.example/a",
      "https://www.zyx.example",
      "https://a.zyx.example./",
      "https://notzyx.example",
    ].entries()
  ) {
    await app.json("/api/v1/projects", { json: { name: `P${i}`, url, tagline: "x" } });
  }
  await share(app, {
    origin: "third-party",
    license: "MIT",
    sourceUrl: "https://zyx.example/skill",
  });
  const done = await operator(app, "forget", "domain", "zyx.example");
  assertEquals(done.stdout, "zyx.example: 3 listings, 1 skill deleted\n");
  assertEquals((await app.json("/api/v1/projects")).body.total, 1);
  assertEquals(await keysWith(app, "/zyx.example"), []);
  assertEquals((await operator(app, "forget", "domain", "zyx.example")).status, 1);
});

Deno.test("operator forget domain takes a domain as the site shows it", async () => {
  await using app = await testApp();
  await submit(app, { url: "https://xn--bcher-kva.example" });
  const done = await operator(app, "forget", "domain", "Bücher.example");
  assertEquals(done.stdout, "Bücher.example: 1 listing deleted\n");
});

Deno.test("operator forget email finds an address whether its domain is in Unicode or Punycode", async () => {
  await using app = await testApp();
  await submit(app, { contactEmail: "ada@Bücher.example" });
  await submit(app, { contactEmail: "ada@xn--bcher-kva.example" });
  const done = await operator(app, "forget", "email", "Ada@bücher.example");
  assertEquals(
    done.stdout,
    "Ada@bücher.example: email, webhook and submitter's name deleted from 2 listings\n",
  );
  assertEquals(await keysWith(app, "ada@"), []);
});

Deno.test("operator forget, export and hide refuse a URL or a public suffix as a domain", async () => {
  await using app = await testApp();
  await submit(app, { url: "https://mine.co.uk" });
  for (const domain of ["uk", "CO.UK", "https://mine.co.uk"]) {
    for (
      const args of [
        ["forget", "domain", "--", domain],
        ["export", "domain", "--", domain],
        ["listings", "hide", `--domain=${domain}`],
      ]
    ) {
      const { status, stderr } = await operator(app, ...args);
      const message = `Enter a domain such as example.com, not ${domain}`;
      assertEquals([status, stderr], [1, `Refused: ${message}\n`], args.join(" "));
    }
  }
  assertEquals((await app.json("/api/v1/projects")).body.total, 1);
  assertEquals((await operator(app, "forget", "domain", "MINE.co.uk")).status, 0);
});
