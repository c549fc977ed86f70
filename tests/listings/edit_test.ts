import { assert, assertEquals } from "@std/assert";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { urlKey } from "@/lib/text/url_identity.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { addressOf, invalidFields, listingBody, submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

function patch(app: TestApp, slug: string, json: unknown, headers: Record<string, string>) {
  return app.json(`/api/v1/projects/${slug}`, { method: "PATCH", json, headers });
}

Deno.test("concurrent edits of one network are queued, without conflicts", async () => {
  let failed = 0;
  const kv = kvWith(await Deno.openKv(":memory:"), {
    async commit(land) {
      const result = await land();
      if (!result.ok) failed++;
      return result;
    },
  });
  await using app = await testApp({ kv });
  const own = [];
  for (let i = 0; i < 20; i++) own.push(await submit(app));
  const before = failed;
  const answers = await Promise.all(
    own.map(({ project, editKey }) =>
      patch(app, project.slug, { tagline: "Changed" }, { "x-edit-key": editKey })
    ),
  );
  assertEquals(answers.map(({ status }) => status), own.map(() => 200));
  assertEquals(failed, before);
});

Deno.test("PATCH /projects/{slug} returns invalid_input for unknown, read-only and missing fields", async () => {
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app);
  const key = { "x-edit-key": editKey };
  const readOnly = {
    slug: "x",
    votes: 1,
    clicks: 1,
    promoted: true,
    createdAt: "x",
    state: "live",
  };
  assertEquals(
    invalidFields(await patch(app, slug, { ...readOnly, whatever: 1, tagline: "" }, key)).sort(),
    [...Object.keys(readOnly), "tagline", "whatever"].sort(),
  );
  assertEquals(invalidFields(await patch(app, slug, {}, key)), ["body"]);
  assertEquals(invalidFields(await patch(app, slug, { name: null, url: null }, key)), [
    "name",
    "url",
  ]);
});

Deno.test("PATCH /projects/{slug} changes the given fields, by X-Edit-Key or bearer token; null clears", async () => {
  await using app = await testApp();
  const { project, editKey } = await submit(app, {
    description: "Long",
    category: "game",
    tags: ["a", "b"],
    accent: "Iris",
  });
  app.clock.advance(5_000);
  const first = await patch(app, project.slug, { name: "Renamed", tags: null }, {
    "x-edit-key": "",
    authorization: `Bearer ${editKey}`,
  });
  assertEquals(first.status, 200);
  assertEquals(first.body.project, {
    ...project,
    name: "Renamed",
    tags: [],
    updatedAt: "2026-03-04T12:00:05.000Z",
  });
  const cleared = await patch(app, project.slug, {
    description: null,
    category: null,
    accent: null,
  }, { "x-edit-key": editKey });
  const { description, category, accent, accentName } = cleared.body.project;
  assertEquals([description, category, accent, accentName], [null, null, null, null]);
  const read = await app.json(`/api/v1/projects/${project.slug}`);
  assertEquals(read.body.project, cleared.body.project);

  const fields = {
    name: "Anew",
    url: "https://anew.dev/",
    tagline: "All of it",
    description: "Every field",
    category: "content",
    tags: ["c"],
    builtWith: ["human"],
    pricing: "paid",
    accent: "#684CFF",
    logoUrl: "https://anew.dev/logo.png",
    repoUrl: "https://anew.dev/source",
    submittedBy: "Ada",
  };
  const key = { "x-edit-key": editKey };
  const all = await patch(app, project.slug, { ...fields, contactEmail: " ada@anew.dev\n" }, key);
  assertEquals(all.body.project, { ...cleared.body.project, ...fields, accentName: "Iris" });
  const { value } = await app.deps.store.get<StoredListing>(listingKeys.one(project.slug));
  assertEquals(value?.contactEmail, "ada@anew.dev");
});

for (
  const { path, table, json, make } of [
    {
      path: "/api/v1/projects",
      table: "listings_by_url",
      json: { url: "https://moved.example.com" },
      make: async (app: TestApp) => {
        const { project, editKey } = await submit(app);
        return { slug: project.slug, editKey };
      },
    },
    {
      path: "/api/v1/skills",
      table: "skills_by_content",
      json: { content: "# Another\n\nGroup the commits by author.\n" },
      make: (app: TestApp) => share(app),
    },
  ]
) {
  Deno.test(`PATCH ${path}/{slug} succeeds twice if the same edit is sent at once`, async () => {
    const shared = await Deno.openKv(":memory:");
    let meanwhile: (() => Promise<unknown>) | undefined;
    const kv = kvWith(shared, {
      async getMany(keys) {
        const wait = keys.some(([name]) => name === table) && meanwhile;
        if (wait) meanwhile = undefined;
        if (wait) await wait();
        return await shared.getMany(keys);
      },
    });
    await using app = await testApp({ kv });
    await using other = await testApp({ kv: kvWith(shared, { close: () => {} }) });
    const { slug, editKey } = await make(app);
    const edit = { method: "PATCH", json, editKey };
    let first: number | undefined;
    meanwhile = async () => first = (await other.json(`${path}/${slug}`, edit)).status;
    const second = await app.json(`${path}/${slug}`, edit);
    assertEquals([first, second.status], [200, 200], JSON.stringify(second.body));
  });
}

Deno.test("PATCH /projects/{slug} moves the URL's reservation, or returns duplicate_url (invariant 8)", async () => {
  await using app = await testApp();
  const one = await submit(app, { url: "https://one.dev" });
  const two = await submit(app, { url: "https://two.dev" });
  const key = { "x-edit-key": one.editKey };
  const refused = await patch(app, one.project.slug, { url: "http://www.two.dev/" }, key);
  assertEquals([refused.status, refused.body.error.code], [409, "duplicate_url"]);
  assertEquals(refused.body.error.details, { slug: two.project.slug });
  assertEquals(
    (await patch(app, one.project.slug, { url: "https://one.dev/#new" }, key)).status,
    200,
  );
  assertEquals((await patch(app, one.project.slug, { url: "https://three.dev" }, key)).status, 200);
  const held = async (url: string) =>
    (await app.deps.store.get(listingKeys.byUrl(urlKey(url)))).value;
  assertEquals(await held("https://one.dev"), null);
  assertEquals(await held("https://three.dev"), one.project.slug);
  const again = await app.json("/api/v1/projects", {
    json: listingBody({ url: "https://one.dev" }),
    address: addressOf(9_000),
  });
  assertEquals(again.status, 201);
});

Deno.test("a listing that shares another's address since an older version never takes over its reservation", async () => {
  await using app = await testApp();
  const holder = (await submit(app, { url: "https://github.com/ada/tool" })).project.slug;
  const late = await submit(app);
  const { slug } = late.project;
  await app.deps.store.transact(async (tx) => {
    const { key, value } = await tx.get<StoredListing>(listingKeys.one(slug));
    tx.delete(listingKeys.byUrl(urlKey(value!.url)));
    tx.set(key, { ...value!, url: "https://github.com/Ada/Tool.git", sameUrlAs: holder });
  });
  const holdsUrl = async (url: string) =>
    (await app.deps.store.get(listingKeys.byUrl(urlKey(url)))).value;
  const key = { "x-edit-key": late.editKey };
  assertEquals((await patch(app, slug, { tagline: "New" }, key)).status, 200);
  assertEquals(await holdsUrl("https://github.com/ada/tool"), holder);
  const moved = await patch(app, slug, { url: "https://moved.example.com" }, key);
  assertEquals(moved.status, 200, JSON.stringify(moved.body));
  assertEquals(await holdsUrl("https://github.com/ada/tool"), holder);
  assertEquals(await holdsUrl("https://moved.example.com"), slug);
  const stored = await app.deps.store.get<StoredListing>(listingKeys.one(slug));
  assertEquals(stored.value!.sameUrlAs, undefined);
});

Deno.test("GET /projects/{slug} returns JSON, or Markdown by format or Accept, with ETag and 304", async () => {
  await using app = await testApp();
  const { project } = await submit(app, { category: "game" });
  const path = `/api/v1/projects/${project.slug}`;
  assertEquals((await app.json(`${path}?format=xml`)).status, 400);
  assertEquals((await app.json(`${path}?format=md&format=md`)).status, 400);
  assertEquals((await app.json("/api/v1/projects/nowhere")).body.error.code, "not_found");

  const byFormat = await app.request(`${path}?format=md`);
  const accept = "text/markdown";
  const byAccept = await app.request(path, { headers: { accept } });
  const asJson = await app.json(`${path}?format=json`, { headers: { accept } });
  assertEquals([asJson.status, asJson.body], [200, { ok: true, project }]);
  assertEquals(byFormat.headers.get("content-type"), "text/markdown; charset=utf-8");
  assert(byAccept.headers.get("vary")!.split(", ").includes("Accept"));
  const markdown = await byFormat.text();
  assertEquals(await byAccept.text(), markdown);
  assert(markdown.includes("- Category: game"), markdown);

  const first = await app.request(path);
  assertEquals((await first.json()).project, project);
  const etag = first.headers.get("etag")!;
  assert(/^"[^"]+"$/.test(etag));
  const again = await app.request(path, { headers: { "if-none-match": `"x", ${etag}` } });
  assertEquals([again.status, await again.text(), again.headers.get("etag")], [304, "", etag]);
});

Deno.test("an edit that changes nothing isn't logged in the changes, for projects and skills", async () => {
  await using app = await testApp();
  const { project, editKey } = await submit(app, { description: "What it does" });
  const shared = await share(app);
  const { changes } = (await app.json("/api/v1/changes")).body;
  app.clock.advance(1_000);
  const { tagline, description } = project;
  const own = { "x-edit-key": editKey };
  const same = await patch(app, project.slug, { tagline, description }, own);
  assertEquals([same.status, same.body.project], [200, project]);
  const skill = await app.json(`/api/v1/skills/${shared.slug}`, {
    method: "PATCH",
    editKey: shared.editKey,
    json: { title: shared.skill.title, content: shared.skill.content },
  });
  assertEquals([skill.status, skill.body.skill], [200, shared.skill]);
  assertEquals((await app.json("/api/v1/changes")).body.changes, changes);
  // A record from before a field existed.
  const key = listingKeys.one(project.slug);
  const { linkCheck: _, ...older } = (await app.deps.store.kv.get<StoredListing>(key)).value!;
  await app.deps.store.kv.atomic().set(key, older).commit();
  await patch(app, project.slug, { linkCheck: null }, own);
  assertEquals((await app.json("/api/v1/changes")).body.changes, changes);
  await patch(app, project.slug, { tagline: "Another" }, own);
  assertEquals((await app.json("/api/v1/changes")).body.changes.length, changes.length + 1);
});
