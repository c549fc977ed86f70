import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { countTags } from "@/lib/discovery/counts.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

Deno.test("countTags counts live projects and sorts by use, then by name", async () => {
  await using app = await testApp();
  for (const tags of [["b", "a"], ["b", "d"], ["c", "a", "b"]]) await submit(app, { tags });
  assertEquals(countTags(app.deps, 3), [
    { tag: "b", count: 3 },
    { tag: "a", count: 2 },
    { tag: "c", count: 1 },
  ]);
  assertEquals(countTags(app.deps, 9).length, 4);
});

Deno.test("/tags links to each tag's projects, and that list has its own feed", async () => {
  await using app = await testApp();
  const empty = await app.text("/tags");
  assertStringIncludes(empty, "No tags yet");
  await submit(app, { name: "Anvil", tags: ["iron"] });
  await submit(app, { name: "Feather", tags: ["light"] });
  app.clock.advance(2_000);
  const html = await app.text("/tags");
  const [main] = /<main.*<\/main>/s.exec(html)!;
  assertEquals([...main.matchAll(/href="(\/projects[^"]*)"/g)].map(([, to]) => to), [
    "/projects?tag=iron",
    "/projects?tag=light",
  ]);
  const list = await app.text("/projects?tag=iron");
  for (const feed of ["/tags/iron/feed.xml", "/tags/iron/feed.json"]) {
    assertStringIncludes(list, `href="${feed}"`);
    const text = await app.text(feed);
    assertEquals([text.includes("Anvil"), text.includes("Feather")], [true, false], feed);
  }
  assertEquals((await app.request("/tags/nobody-has-this/feed.xml")).status, 404);
  assertEquals((await app.request("/tags/iron/feed.txt")).status, 404);
});

Deno.test("a rarely used tag's list links to a search for the tag", async () => {
  await using app = await testApp();
  for (let i = 0; i < 4; i++) await submit(app, { tags: i === 0 ? ["rust-lang", "web"] : ["web"] });
  await share(app, { tags: ["web"] });
  for (
    const [path, to] of [
      ["/projects?tag=rust-lang", "/projects?q=rust-lang"],
      ["/skills?tag=web", "/skills?q=web"],
      ["/projects?tag=web", undefined],
      ["/projects?tag=rust-lang&q=rust", undefined],
      ["/projects", undefined],
    ] as const
  ) {
    const text = await app.text(path);
    assertEquals(/<a href="([^"]+)"[^>]*>Search for/.exec(text)?.[1], to, path);
  }
});

Deno.test("/tags lists the twelve most used tags first and the rest alphabetically", async () => {
  await using app = await testApp();
  const often = ["m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"];
  for (let i = 0; i < 2; i++) {
    await submit(app, { tags: often.slice(0, 6) });
    await submit(app, { tags: often.slice(6) });
  }
  await submit(app, { tags: ["zinc", "2d", "anvil", "ant", "zebra"] });
  app.clock.advance(2_000);
  const html = await app.text("/tags");
  assertEquals(
    [...html.matchAll(/<h3>(.*?)<\/h3>|href="\/projects\?tag=(\w+)"/g)].map(([, initial, tag]) =>
      initial ?? tag
    ),
    [...often, "0–9", "2d", "A", "ant", "anvil", "Z", "zebra", "zinc"],
  );
});

Deno.test("with many tags, /tags shows all tags with the same count or none of them", async () => {
  await using app = await testApp();
  for (let i = 0; i < 80; i++) {
    await submit(app, {
      tags: ["often", `twice-${i >> 1}`, ...[0, 1, 2, 3].map((n) => `t${i}-${n}`)],
    });
  }
  app.clock.advance(2_000);
  const html = await app.text("/tags");
  const tags = [...html.matchAll(/href="\/projects\?tag=([\w-]+)"/g)].map(([, tag]) => tag!);
  assertEquals(tags.length, 41);
  assertEquals(tags.filter((tag) => !/^(often|twice-\d+)$/.test(tag)), []);
  assertStringIncludes(html, "More tags, A to Z");
});

Deno.test("lists and their heads link to the feed of the same entries, if there is one", async () => {
  await using app = await testApp();
  await submit(app, { tags: ["iron"], category: "game", builtWith: ["claude"] });
  await share(app);
  for (
    const [path, feed] of [
      ["/projects", "/feed.xml"],
      ["/projects?gems=1", "/gems/feed.xml"],
      ["/projects?tag=iron", "/tags/iron/feed.xml"],
      ["/projects?category=game&sort=top", "/c/game/feed.xml"],
      ["/projects?tool=claude", "/t/claude/feed.xml"],
      ["/c/game", "/c/game/feed.xml"],
      ["/t/claude", "/t/claude/feed.xml"],
      ["/skills", "/skills/feed.xml"],
    ]
  ) {
    const html = await app.text(path!);
    assertStringIncludes(html, `<a href="${feed}">RSS</a>`, path);
    const inHead = html.match(/(?<=type="application\/rss\+xml"[^>]* href=")[^"]+/g);
    assert(inHead!.includes(feed!), `${path}: ${inHead}`);
  }
  for (
    const path of [
      "/projects?tag=none",
      "/projects?pricing=free",
      "/projects?q=iron",
      "/projects?tag=iron&category=game",
      "/projects?gems=1&tag=iron",
      "/skills?tag=iron",
    ]
  ) {
    const html = await app.text(path);
    assert(!html.includes("Follow this list"), path);
  }
});

Deno.test("the current list is marked among its neighbors, whatever else is in the URL", async () => {
  await using app = await testApp();
  await submit(app, { category: "game", builtWith: ["claude"] });
  await share(app);
  for (
    const [path, name] of [
      ["/c/game", "Games"],
      ["/c/game?sort=new", "Games"],
      ["/projects?q=&category=game", "Games"],
      ["/skills?q=&kind=prompt&worksWith=", "Prompt"],
      ["/projects", undefined],
      ["/t/claude", "Claude"],
    ]
  ) {
    const html = await app.text(path!);
    const lists = /<ul class="plain leaders">.*?<\/ul>/s.exec(html)![0];
    assertEquals(
      [...lists.matchAll(/aria-current="page">([^<]*)</g)].map((m) => m[1]),
      name === undefined ? [] : [name],
      path,
    );
  }
});
