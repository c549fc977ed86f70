import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR_MS } from "@/lib/clock.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

Deno.test("pages ignore empty parameters, which forms also send, and reject unknown values", async () => {
  await using app = await testApp();
  const pages = [
    ["/projects", ["sort", "category", "tool", "pricing", "tag", "q", "limit", "offset"]],
    ["/skills", ["sort", "kind", "worksWith", "category", "q", "limit", "offset"]],
    ["/poll", ["window", "group", "limit"]],
    ["/help", ["q", "audience", "limit"]],
    ["/c/saas", ["sort", "limit", "offset"]],
    ["/t/claude", ["sort", "limit", "offset"]],
  ] as const;
  for (const [path, names] of pages) {
    const empty = await app.request(`${path}?${names.join("=&")}=`);
    assertEquals([path, empty.status], [path, 200]);
    for (const name of names.filter((name) => name !== "q")) {
      const unknown = await app.request(`${path}?${name}=No%20such!`);
      assertEquals([path, name, unknown.status], [path, name, 400]);
      assertStringIncludes(await unknown.text(), 'aria-label="Site search"', path);
    }
  }
});

Deno.test("a search with its words removed shows the hot list and says so", async () => {
  await using app = await testApp();
  const text = await app.text("/projects?q=&sort=best");
  assertStringIncludes(text, "<h1>Hot projects</h1>");
  assertStringIncludes(text, 'rel="canonical" href="http://projectory.test/projects"');
});

Deno.test("a page past the end of a list says so and links back with the same filters", async () => {
  await using app = await testApp();
  await submit(app, { category: "saas", builtWith: ["claude"] });
  await share(app);
  for (const path of ["/projects", "/c/saas", "/t/claude", "/skills"]) {
    const page = await app.request(`${path}?sort=new&offset=30`);
    const text = await page.text();
    assertStringIncludes(text, "past the last page", path);
    assertStringIncludes(text, `<a href="${path}?sort=new"`, path);
  }
});

Deno.test("a list's order links keep its filters and restart at page one, and a search keeps the order", async () => {
  await using app = await testApp();
  for (const name of ["One", "Two", "Three"]) await submit(app, { name, category: "saas" });
  for (const content of ["a", "b", "c"]) await share(app, { content: content.repeat(30) });
  for (const path of ["/projects?category=saas", "/skills?kind=skill-md"]) {
    const [page, filter] = path.split("?");
    const text = await app.text(`${path}&sort=top&limit=1&offset=1`);
    const orders = /<nav aria-label="Order">.*?<\/nav>/.exec(text)![0];
    const links = [...orders.matchAll(/\?([^"]*)"( aria-current="true")?/g)].map((
      [, query, isCurrent],
    ) => [query!.split("&amp;").sort().join("&"), isCurrent !== undefined]);
    assertEquals(
      links.slice(0, 3),
      [[filter, false], [`${filter}&sort=new`, false], [`${filter}&sort=top`, true]],
      page,
    );
    assertStringIncludes(text, '<input type="hidden" name="sort" value="top"', page);
  }
});

Deno.test("a list's filters keep what a link has set, so that it can be combined and cleared", async () => {
  await using app = await testApp();
  await submit(app);
  const text = await app.text("/projects?gems=1&promoted=1&tag=cli");
  for (const [name, value] of [["gems", "1"], ["promoted", "1"]]) {
    const select = new RegExp(`<select id="${name}".*?</select>`).exec(text)?.[0] ?? "";
    assertStringIncludes(select, '<option value="">All</option>');
    assertStringIncludes(/<option [^>]*selected[^>]*>/.exec(select)![0], `value="${value}"`);
  }
  assertStringIncludes(text, 'name="tag" value="cli"');
});

Deno.test("the list of hidden gems shows when each was picked, and a gem's page shows why", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  app.deps.catalogue.setGem(slug, {
    note: "Picked on 2026-03-04, not 2026-02-31",
    since: app.clock.now(),
  });
  const text = async (path: string) => (await app.text(path)).replace(/<[^>]*>/g, "");
  assertStringIncludes(await text("/projects?gems=1"), "picked just now");
  assert(!(await text("/projects")).includes("picked"));
  assertStringIncludes(await text(`/p/${slug}`), "Picked on Mar 4, 2026, not 2026-02-31");
});

Deno.test("a category's list doesn't repeat its name in each entry", async () => {
  await using app = await testApp();
  await submit(app, { name: "Anvil", category: "saas" });
  for (
    const [path, expected] of [["/c/saas", 0], ["/projects?category=saas", 0], ["/projects", 1]]
  ) {
    const text = await app.text(String(path));
    const row = /<li [^>]*class="row" .*?<\/li>/s.exec(text)![0];
    assertStringIncludes(row, "Anvil");
    assertEquals([...row.matchAll(/href="\/c\/saas"/g)].length, expected, String(path));
  }
});

Deno.test("only filtered lists link to the full list", async () => {
  await using app = await testApp();
  await submit(app, { name: "Anvil", category: "saas" });
  await share(app);
  for (
    const [path, all] of [
      ["/projects?sort=new", null],
      ["/projects?category=saas", "/projects"],
      ["/projects?q=anvil&sort=top", "/projects"],
      ["/skills?sort=new", null],
      ["/skills?kind=skill-md", "/skills"],
    ] as const
  ) {
    const text = await app.text(path);
    const [, to = null] = /<a href="([^"]+)"[^>]*>Show all/.exec(text) ?? [];
    assertEquals(to, all, path);
  }
  for (const list of ["/projects", "/skills"]) {
    const text = await app.text(`${list}?q=xyzzy`);
    const [, to] = /<a href="([^"]+)"[^>]*>Clear the search/.exec(text)!;
    assertEquals(to, list);
  }
});

Deno.test("every list shows each entry's age, with a machine-readable time", async () => {
  await using app = await testApp();
  await submit(app, { name: "Anvil", category: "saas", builtWith: ["claude"] });
  await share(app);
  app.clock.advance(3 * HOUR_MS);
  for (const path of ["/", "/projects", "/c/saas", "/t/claude", "/skills"]) {
    const text = await app.text(path);
    const rows = /<ol class="rows.*?<\/ol>/s.exec(text)![0];
    const ages = [...rows.matchAll(/<time dateTime="([^"]*)"[^>]*>([^<]*)</gi)];
    assertEquals(ages.map(([, at, age]) => [at, age]), [
      ["2026-03-04T12:00:00.000Z", "3 hours ago"],
    ], path);
  }
});

Deno.test("list titles include page, order and price, and a list's feed has the same name", async () => {
  await using app = await testApp();
  await submit(app, { name: "Ink" });
  await share(app, { title: "Ink" });
  for (
    const [path, title, feed] of [
      ["/projects", "Hot projects"],
      ["/projects?offset=30", "Hot projects, page 2"],
      ["/projects?sort=new&limit=10&offset=14", "New projects, page 3"],
      ["/projects?pricing=open-source", "Hot projects, open source"],
      ["/projects?gems=1&sort=top&offset=30", "Hidden gems, most votes, page 2", "Hidden gems"],
      ["/projects?q=ink&sort=hot", "Results for “ink”, hot"],
      ["/projects?q=ink", "Results for “ink”"],
      ["/c/saas?sort=new", "SaaS, new", "SaaS"],
      ["/t/claude?offset=30", "Built with Claude, page 2", "Built with Claude"],
      ["/skills?sort=copied&offset=30", "Most copied skills, page 2", "Most copied skills"],
      ["/skills?q=ink&sort=copied", "Skills for “ink”, most copied"],
      ["/poll", "Which AI is best?"],
      ["/poll?window=today&group=human", "Which AI is best? People, today"],
    ] as const
  ) {
    const text = await app.text(path);
    assertEquals(/<title>(.*?)<\/title>/.exec(text)![1], `${title} · Projectory`);
    const [, named] =
      /type="application\/rss\+xml" title="([^"]*)" href="\/[a-z/-]+\/feed/.exec(text) ??
        [];
    assertEquals(named, feed && `${feed} · Projectory`);
  }
});

Deno.test("the JSON that a list's page links to has the same order and page", async () => {
  await using app = await testApp();
  for (
    const [path, json] of [
      ["/projects", ""],
      ["/projects?sort=best", ""],
      ["/projects?sort=new", "?sort=new"],
      ["/projects?q=ink", "?q=ink"],
      ["/projects?q=ink&sort=hot", "?q=ink&sort=hot"],
      ["/skills?q=ink&sort=hot", "?q=ink&sort=hot"],
      ["/skills?q=ink&sort=best", "?q=ink"],
      ["/projects?sort=new&limit=5&offset=0", "?sort=new&limit=5"],
      ["/projects?limit=5&page=3", "?limit=5&offset=10"],
      ["/skills?offset=30&kind=prompt", "?kind=prompt&offset=30"],
      ["/c/saas?sort=new&offset=30", "?category=saas&sort=new&offset=30"],
      ["/t/claude?limit=5", "?tool=claude&limit=5"],
    ] as const
  ) {
    const text = await app.text(path);
    const [, address] = /type="application\/json" href="([^"]*)"/.exec(text)!;
    assertEquals(new URL(address!.replaceAll("&amp;", "&")).search, json, path);
  }
});

Deno.test("a category with fewer than two projects offers no orders", async () => {
  await using app = await testApp();
  const orders = async () => (await app.text("/c/saas")).includes('aria-label="Order"');
  await submit(app, { category: "saas" });
  assertEquals(await orders(), false);
  await submit(app, { category: "saas" });
  assertEquals(await orders(), true);
});

Deno.test("help lists its answers by topic, and a search's answers best first", async () => {
  await using app = await testApp();
  const read = async (path: string) => {
    const text = await app.text(path);
    const ids = (part: string, pattern: RegExp) => [...part.matchAll(pattern)].map(([, id]) => id!);
    const topics = [...text.matchAll(/<section +aria-labelledby="(topic-\w+)".*?<\/section>/gs)];
    return {
      title: /<title>(.*?)<\/title>/.exec(text)![1],
      topics: topics.map(([, id]) => id!),
      grouped: topics.flatMap(([part]) => ids(part, /<\/summary> *<div +id="([^"]+)"/g)),
      answers: ids(text, /<\/summary> *<div +id="([^"]+)"/g),
      contents: ids(/<nav class="toc".*?<\/nav>/s.exec(text)?.[0] ?? "", /href="#([^"]+)"/g),
    };
  };
  for (const query of ["", "audience=human"]) {
    const page = await read(`/help?${query}`);
    const { entries } = (await app.json(`/api/v1/help?${query}`)).body;
    const ids = entries.map(({ id }: { id: string }) => id);
    assertEquals(page.grouped.filter((id) => !id.endsWith("-more")), ids);
    assertEquals(page.contents, page.topics);
    assertEquals(
      page.topics.includes("topic-errors"),
      query === "",
      "people don't see error codes",
    );
  }
  const found = await read("/help?q=edit+key");
  assertEquals(found.title, "Help on “edit key” · Projectory");
  const { entries } = (await app.json("/api/v1/help?q=edit+key")).body;
  assertEquals(found.answers, entries.map(({ id }: { id: string }) => id));
  assertEquals([found.topics, found.contents], [[], []]);
});

Deno.test("a search that is too long is shortened on pages and rejected by the API", async () => {
  await using app = await testApp();
  const url = "https://play.example.org/store/apps/details?id=org.inkwell";
  await submit(app, { url });
  const long = encodeURIComponent(`${url}&utm_source=${"newsletter".repeat(10)}`);
  const page = await app.request(`/projects?q=${long}`);
  assertEquals(page.status, 200);
  assertStringIncludes(await page.text(), "1 project");
  assertEquals((await app.json(`/api/v1/projects?q=${long}`)).status, 400);
  assertStringIncludes(
    await app.text(`/projects?q=${"+".repeat(120)}nothing`),
    "No projects match",
  );
  const words = encodeURIComponent("ink ".repeat(40));
  for (const path of ["/projects", "/skills"]) {
    const { status } = await app.request(`${path}?q=${words}`);
    assertEquals(status, 200, path);
  }
});
