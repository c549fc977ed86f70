import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { copyLogos } from "@/lib/images/logos.ts";
import { measure } from "@/lib/images/measure.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { logoOf as placeOf } from "@/lib/listings/logo.ts";
import { paths } from "@/lib/urls.ts";
import { WebDouble } from "../fetching/web_double.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { addressOf, submit } from "../support/listings.ts";
import { operator } from "../support/operator.ts";
import { GIF, JPEG, pngOf, WEBP } from "../support/pictures.ts";

const LOGO = "http://example.test/logo";

type Body = string | Uint8Array<ArrayBuffer>;

/** A service on a web that has one file. */
async function logoApp(web: WebDouble, body: Body): Promise<TestApp> {
  web.serve("example.test", () => new Response(body));
  return await testApp({ fetcher: web.fetcher });
}

const run = (app: TestApp) => copyLogos(app.deps, app.clock.now());

const logoPath = (project: { slug: string; logoUrl: string }) => {
  const { slug, version } = placeOf(project)!;
  return paths.listingLogo(slug, version);
};

const logoOf = (app: TestApp, project: { slug: string; logoUrl: string }) =>
  app.request(logoPath(project));

async function kept(app: TestApp): Promise<string[]> {
  const keys: string[] = [];
  for (const prefix of [["listing_logos"], ["logo_jobs"]]) {
    for await (const { key } of app.deps.store.list({ prefix })) keys.push(key.join(" "));
  }
  return keys;
}

for (
  const [kind, file] of [
    ["PNG", await pngOf(512, 256)],
    ["JPEG", JPEG],
    ["GIF", GIF],
    ...Object.entries(WEBP).map(([form, file]) => [`${form} WebP`, file] as const),
  ] as const
) {
  Deno.test(`a ${kind} logo is copied as a small PNG, and served by the site with long caching`, async () => {
    await using web = new WebDouble();
    await using app = await logoApp(web, file);
    const { project } = await submit(app, { logoUrl: LOGO });
    const before = await logoOf(app, project);
    assertEquals([before.status, before.headers.get("cache-control")], [
      204,
      "public, max-age=300",
    ]);
    assertEquals(await run(app), true);
    assertEquals(await run(app), false);
    assertEquals(
      web.requests[0]!.headers.get("accept"),
      "image/png, image/webp, image/jpeg, image/gif",
    );
    const answer = await logoOf(app, project);
    const { headers } = answer;
    assertEquals([answer.status, headers.get("content-type"), headers.get("cache-control")], [
      200,
      "image/png",
      "public, max-age=604800, immutable",
    ]);
    const png = new Uint8Array(await answer.arrayBuffer());
    assertEquals(measure(png), { type: "png", width: 96, height: 96 });
    assert(png.length < 10_000, String(png.length));
    // Any other version's URL isn't cached for long.
    const other = await app.request(`/p/${project.slug}/logo.png`);
    assertEquals([other.status, other.headers.get("cache-control")], [200, "public, max-age=300"]);
  });
}

const whole = await pngOf(32, 32);
const bomb = (await pngOf(32, 32)).slice();
bomb.set([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30], 16);
/** Its header says 20 by 20, but its image is 40 by 20. */
const twoSizes = WEBP.extended.slice();
twoSizes[24] = 19;
const endless = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(JPEG),
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    }),
  );
const USELESS: Record<string, () => Response> = {
  "an SVG": () => new Response("<svg xmlns='http://www.w3.org/2000/svg' width='96' height='96'/>"),
  "an HTML page labeled as a PNG": () =>
    new Response("<!doctype html><p>Hello", { headers: { "content-type": "image/png" } }),
  "a decompression bomb of 30,000 by 30,000 pixels": () => new Response(bomb),
  "a WebP with two sizes": () => new Response(twoSizes),
  "a broken WebP": () => new Response(WEBP.lossy.slice(0, 50)),
  "a broken file": () => new Response(JPEG.slice(0, 180)),
  "a picture without its pixels": () => new Response(whole.slice(0, 40)),
  "an endless body": endless,
  "a compressed body": () => new Response(JPEG, { headers: { "content-encoding": "br" } }),
  "a tiny picture": () => new Response(bomb.slice(0, 8)),
  "an error": () => new Response(JPEG, { status: 404 }),
  "a redirect to localhost": () => Response.redirect("http://127.0.0.1/logo.png"),
  "a redirect to a file": () =>
    new Response(null, { status: 302, headers: { location: "file:///etc/passwd" } }),
};

for (const [what, answer] of Object.entries(USELESS)) {
  Deno.test(`${what} isn't accepted as a logo, and is retried twice, a day and a week later`, async () => {
    await using web = new WebDouble();
    web.serve("example.test", answer);
    await using app = await testApp({ fetcher: web.fetcher });
    const { project } = await submit(app, { logoUrl: LOGO });
    for (const days of [0, 1, 7]) {
      app.clock.advance(days * DAY_MS - 1);
      assertEquals(await run(app), false);
      app.clock.advance(1);
      assertEquals(await run(app), true);
      assertEquals((await logoOf(app, project)).status, 204);
    }
    assertEquals(await kept(app), []);
    assertEquals(web.requests.length, 3);
    assertEquals(web.routes.every((route) => route === "93.184.216.1:80"), true);
  });
}

Deno.test("a new logo replaces the copy, clearing it deletes the copy, and other edits keep it", async () => {
  await using web = new WebDouble();
  await using app = await logoApp(web, JPEG);
  const { project, editKey } = await submit(app, { logoUrl: LOGO });
  await run(app);
  const edit = async (json: Record<string, unknown>) =>
    (await app.json(`/api/v1/projects/${project.slug}`, {
      method: "PATCH",
      json,
      editKey,
    })).body.project;
  const key = `listing_logos ${project.slug}`;
  await edit({ tagline: "Another one" });
  assertEquals(await kept(app), [key]);
  const changed = await edit({ logoUrl: `${LOGO}?2` });
  assertNotEquals(logoPath(changed), logoPath(project));
  assertEquals((await logoOf(app, changed)).status, 204);
  await run(app);
  assertEquals((await logoOf(app, changed)).status, 200);
  assertEquals(await kept(app), [key]);
  await edit({ logoUrl: null });
  assertEquals(await kept(app), []);
  assertEquals((await app.request(`/p/${project.slug}/logo.png`)).status, 204);
  assertEquals((await app.deps.store.get(listingKeys.logoCount)).value, 0);
});

Deno.test("an edit during copying wins", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project, editKey } = await submit(app, { logoUrl: LOGO });
  web.serve("example.test", async () => {
    await app.json(`/api/v1/projects/${project.slug}`, {
      method: "PATCH",
      json: { logoUrl: null },
      editKey,
    });
    return new Response(JPEG);
  });
  await run(app);
  assertEquals(await kept(app), []);
});

Deno.test("two processes copying the same logo keep and count one copy", async () => {
  await using web = new WebDouble();
  await using app = await logoApp(web, JPEG);
  await submit(app, { logoUrl: LOGO });
  await Promise.all([run(app), run(app)]);
  assertEquals((await kept(app)).length, 1);
  assertEquals((await app.deps.store.get(listingKeys.logoCount)).value, 1);
});

Deno.test("a logo submitted by a clock that was set back is copied", async () => {
  await using web = new WebDouble();
  await using app = await logoApp(web, JPEG);
  app.clock.advance(30 * DAY_MS);
  const { project } = await submit(app, { logoUrl: LOGO });
  app.clock.advance(-30 * DAY_MS);
  assertEquals(await run(app), true);
  assertEquals((await logoOf(app, project)).status, 200);
});

Deno.test("a logo that two processes failed to copy is retried once", async () => {
  await using web = new WebDouble();
  web.serve("example.test", () => new Response("", { status: 500 }));
  await using app = await testApp({ fetcher: web.fetcher });
  await submit(app, { logoUrl: LOGO });
  const now = app.clock.now();
  await Promise.all([copyLogos(app.deps, now), copyLogos(app.deps, now + 1)]);
  assertEquals((await kept(app)).length, 1);
});

Deno.test("a process whose clock is behind doesn't immediately use up the last retry", async () => {
  await using web = new WebDouble();
  web.serve("example.test", () => new Response("", { status: 500 }));
  await using app = await testApp({ fetcher: web.fetcher });
  await submit(app, { logoUrl: LOGO });
  for (const days of [0, 1]) {
    app.clock.advance(days * DAY_MS);
    await run(app);
  }
  assertEquals(await copyLogos(app.deps, app.clock.now() - 30_000), false);
  assertEquals((await kept(app)).length, 1);
});

Deno.test("withdrawal and operator forget delete the copy, and a hidden listing shows none", async () => {
  await using web = new WebDouble();
  await using app = await logoApp(web, JPEG);
  const withdrawn = await submit(app, { name: "One", logoUrl: LOGO });
  const hidden = await submit(app, { name: "Two", logoUrl: LOGO });
  await run(app);
  assertEquals((await kept(app)).length, 2);
  await app.json(`/api/v1/projects/${withdrawn.project.slug}`, {
    method: "DELETE",
    address: addressOf(9),
    editKey: withdrawn.editKey,
  });
  assertEquals(await kept(app), [`listing_logos ${hidden.project.slug}`]);
  await operator(app, "listings", "hide", hidden.project.slug, "--reason", "spam");
  assertEquals((await logoOf(app, hidden.project)).status, 404);
  await operator(app, "forget", "listing", hidden.project.slug);
  assertEquals(await kept(app), []);
});

Deno.test("copies beyond the maximum aren't kept", async () => {
  await using web = new WebDouble();
  await using app = await logoApp(web, JPEG);
  await app.deps.store.transact((tx) => tx.set(listingKeys.logoCount, 20_000));
  await submit(app, { logoUrl: LOGO });
  await run(app);
  assertEquals((await kept(app)).filter((key) => key.startsWith("listing_logos")), []);
});

Deno.test("logos wait while the fetcher is down", async () => {
  await using web = new WebDouble();
  const away = { ...web.fetcher, isAway: true, get: () => Promise.reject(new Error("refused")) };
  await using app = await testApp({ fetcher: away });
  await submit(app, { logoUrl: LOGO });
  await run(app).catch(() => {});
  assertEquals((await kept(app)).length, 1);
  app.deps.fetcher = null;
  assertEquals(await run(app), false);
});
