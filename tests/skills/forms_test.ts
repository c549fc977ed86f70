import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { testApp } from "../support/app.ts";
import { share, skillBody } from "../support/skills.ts";

Deno.test("/skills/<slug>/vote and /copy work as forms, without JavaScript", async () => {
  await using app = await testApp();
  const { slug, skill } = await share(app);
  const vote = await app.request(`/skills/${slug}/vote`, { form: {} });
  assertEquals([vote.status, vote.headers.get("location")], [
    303,
    `http://projectory.test/skills/${slug}#vote`,
  ]);
  const file = await app.request(`/skills/${slug}/copy`, { method: "POST" });
  assertEquals(file.headers.get("content-disposition"), 'attachment; filename="SKILL.md"');
  assertEquals(file.headers.get("content-type"), "text/plain; charset=utf-8");
  assert((await file.text()).endsWith(skill.content));
  const { body } = await app.json(`/api/v1/skills/${slug}`);
  assertEquals([body.skill.votes, body.skill.copies], [1, 1]);
  await app.request(`/skills/${slug}/vote`, { form: { remove: "1" } });
  assertEquals((await app.json(`/api/v1/skills/${slug}`)).body.skill.votes, 0);
});

Deno.test("/skills/submit shows the edit key only once, in the uncached response to the POST", async () => {
  await using app = await testApp();
  const body = skillBody({ title: "By form", kind: "workflow", tags: "Code review, CI" });
  // Browsers send line breaks in forms as CRLF.
  const form = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, String(value).replaceAll("\n", "\r\n")]),
  );
  const response = await app.request("/skills/submit", { form });
  assertEquals([response.status, response.headers.get("cache-control")], [
    201,
    "private, no-store",
  ]);
  const answer = await response.text();
  const key = /pik_[A-Za-z0-9_-]{43}/.exec(answer)![0];
  assertEquals(answer.match(/<figure/g)?.length, answer.match(/data-copy/g)?.length);
  const page = await app.text("/skills/by-form");
  assert(!page.includes("pik_"));
  const { tags } = (await app.json("/api/v1/skills/by-form")).body.skill;
  assertEquals(tags, ["code-review", "ci"], "commas are between tags, and spaces within");
  const edited = await app.request("/skills/by-form/edit", {
    form: { ...form, editKey: key, title: "Renamed", tags: "" },
  });
  assertEquals([edited.status, edited.headers.get("location")], [
    303,
    "http://projectory.test/skills/by-form#saved",
  ]);
  const { skill } = (await app.json("/api/v1/skills/by-form")).body;
  assertEquals([skill.title, skill.tags, skill.content], ["Renamed", [], body.content]);
});

Deno.test("/skills/submit assumes the sharer's own skill unless they say otherwise", async () => {
  await using app = await testApp();
  const page = await app.text("/skills/submit");
  const chosen = [...page.matchAll(/<input[^>]* name="origin" value="([^"]*)"([^>]*)>/g)]
    .map(([, value, rest]) => [value, rest!.includes("checked")]);
  assertEquals(chosen, [["original", true], ["third-party", false]]);
  const theirs = await app.text("/skills/submit?origin=third-party");
  for (const [text, isOptional] of [[page, true], [theirs, false]] as const) {
    for (const label of ["License", "Source"]) {
      const said = new RegExp(`>${label} <span class="optional">`).test(text);
      assertEquals(said, isOptional, label);
    }
  }
});

Deno.test("/skills/submit keeps what was typed and shows each problem at its field", async () => {
  await using app = await testApp();
  const { slug } = await share(app, { content: "The content that is taken" });
  const typed = {
    title: "My <title>",
    summary: "s",
    kind: "prompt",
    content: "too short",
    origin: "third-party",
  };
  const bad = await app.request("/skills/submit", { form: typed });
  assertEquals(bad.status, 400);
  const page = await bad.text();
  for (const field of ["content", "license", "sourceUrl"]) {
    assertMatch(page, new RegExp(`id="${field}-problem"`));
  }
  assertStringIncludes(page, 'value="My &lt;title>"');
  assertStringIncludes(page, "too short</textarea>");
  const form = { ...typed, origin: "original", content: "The content that is taken" };
  const taken = await app.request("/skills/submit", { form });
  assertEquals(taken.status, 409);
  assertStringIncludes(await taken.text(), `href="/skills/${slug}"`);
});

Deno.test("/skills/submit is prefilled from the query, so that an agent can hand over a link", async () => {
  await using app = await testApp();
  const page = await app.text("/skills/submit?title=Hi&kind=prompt&worksWith=codex,cursor");
  assertStringIncludes(page, 'value="Hi"');
  assertMatch(page, /<option (?=[^>]*selected)[^>]*value="prompt"/);
  assertEquals(page.match(/name="worksWith" value="(codex|cursor)" checked/g)?.length, 2);
});

Deno.test("/submit and /skills/submit link agents to an example of their API call", async () => {
  await using app = await testApp();
  for (
    const [page, api] of [["/submit", "/api/v1/projects"], ["/skills/submit", "/api/v1/skills"]]
  ) {
    const form = await app.text(page!);
    const [path, id] = form.match(/<a href="([^"]*)">See an example/)![1]!.split("#");
    const example = await app.text(path!);
    const section = id === undefined ? example : example.slice(example.indexOf(`id="${id}"`));
    assertStringIncludes(section.match(/curl -X POST (&quot;)?http[^ \\]*/)![0], api!);
  }
});

Deno.test("/skills/<slug>/edit doesn't change content that differs only in line endings", async () => {
  await using app = await testApp();
  const content = "Line one\r\nLine two, and more\r\n";
  const { slug, editKey } = await share(app, { title: "Endings", content });
  const wrong = await app.request(`/skills/${slug}/edit`, {
    form: { editKey: "pik_x", title: "x" },
  });
  assertEquals(wrong.status, 403);
  assertStringIncludes(await wrong.text(), 'id="editKey-problem"');
  const form = { editKey, title: "Endings", summary: "New", kind: "prompt", content };
  const saved = await app.request(`/skills/${slug}/edit`, { form });
  assertEquals(saved.status, 303);
  const { skill } = (await app.json(`/api/v1/skills/${slug}`)).body;
  assertEquals([skill.summary, skill.content], ["New", content]);
  const other = "Line one\nLine two, and more of it\n";
  await app.request(`/skills/${slug}/edit`, { form: { ...form, content: other } });
  assertEquals((await app.json(`/api/v1/skills/${slug}`)).body.skill.content, other);
});
