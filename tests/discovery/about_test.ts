import { assertEquals, assertMatch } from "@std/assert";
import { setThemeControl } from "@/lib/ai_of_the_day/service.ts";
import { DAY_MS } from "@/lib/clock.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

Deno.test("GET meta has every key and attribute in the contract", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/meta");
  assertEquals(Object.keys(body), [
    "ok",
    "aiTools",
    "categories",
    "pricingModels",
    "listingAccents",
    "siteThemes",
    "promotion",
    "limits",
    "sorts",
  ]);
  assertEquals(body.aiTools.length, 28);
  assertEquals(Object.keys(body.aiTools[0]), ["slug", "name", "maker", "color", "glyph"]);
  assertEquals(body.categories.length, 13);
  assertEquals(Object.keys(body.categories[0]), ["slug", "name", "blurb", "page"]);
  assertEquals(body.pricingModels, ["free", "freemium", "paid", "open-source", "contact"]);
  assertEquals(body.listingAccents.length, 11);
  assertEquals(body.listingAccents[0], { name: "Lagoon", hex: "#00CBEA" });
  assertEquals(body.siteThemes.map(({ id }: { id: string }) => id), [
    "daily",
    "index",
    "ivory",
    "phosphor",
    "paper",
    "amber",
    "tide",
    "chalk",
  ]);
  for (const theme of body.siteThemes) {
    assertEquals(Object.keys(theme), ["id", "name", "swatch", "dark"]);
    assertEquals(theme.swatch.length, 2);
    for (const color of theme.swatch) assertMatch(color, /^#[0-9A-F]{6}$/);
    assertEquals(typeof theme.dark, "boolean");
  }
  assertEquals(Object.keys(body.promotion), [
    "paymentsOpen",
    "salesFinalNotice",
    "feeNotice",
    "maxFeaturedSlots",
    "howToBuy",
    "tiers",
  ]);
  assertEquals(body.promotion.maxFeaturedSlots, 12);
  assertEquals(
    body.promotion.tiers.map((t: { id: string; totalCents: number }) => [t.id, t.totalCents]),
    [["bump-3", 546], ["boost-7", 958], ["spotlight-30", 2606]],
  );
  assertEquals(body.limits, {
    nameMax: 60,
    taglineMax: 120,
    descriptionMax: 2000,
    tagsMax: 6,
    tagMax: 24,
    builtWithMax: 6,
    urlMax: 500,
    pageSizeDefault: 30,
    pageSizeMax: 100,
    submissionsPerHour: 5,
    votesPerHour: 120,
    promoteCheckoutsPerHour: 20,
  });
  assertEquals(body.sorts, ["hot", "new", "top"]);
});

Deno.test("GET about has live figures and current prices", async () => {
  await using app = await testApp();
  const { project: first } = await submit(app);
  const { project, editKey } = await submit(app);
  const path = `/api/v1/projects/${project.slug}`;
  await app.request(`${path}/vote`, { method: "POST" });
  await app.request(`/go/${project.slug}`);
  await app.request(`/go/${project.slug}`);
  await app.json(path, { method: "PATCH", json: { tagline: "Edited" }, editKey });
  for (let i = 0; i < 3; i++) await share(app);
  const span = { startsAt: TEST_NOW, endsAt: TEST_NOW + DAY_MS };
  const { catalogue } = app.deps;
  const { project: third } = await submit(app);
  for (const { slug } of [project, third]) {
    catalogue.setPromotion(slug, [{ tierId: "bump-3", ...span }]);
  }
  catalogue.setGem(first.slug, { note: "Few votes yet", since: TEST_NOW });
  const { body } = await app.json("/api/v1/about");
  assertEquals(body.stats, {
    projects: 3,
    newThisWeek: 3,
    votes: 1,
    visits: 2,
    skills: 3,
    promoted: 2,
    gems: 1,
  });
  assertEquals(body.name, "Projectory");
  assertMatch(body.description, /free public directory/);
  const { promotion } = (await app.json("/api/v1/meta")).body;
  assertEquals(body.currentPricing.tiers, promotion.tiers);
});

Deno.test("every link in GET about works", async () => {
  await using app = await testApp();
  const { links } = (await app.json("/api/v1/about")).body;
  const names = ["home", "submit", "help", "api", "openapi", "mcp", "llms", "terms", "privacy"];
  assertEquals(Object.keys(links), names);
  for (const [name, link] of Object.entries<string>(links)) {
    const { status } = await app.request(link);
    assertEquals(status, name === "mcp" ? 405 : 200, name);
  }
});

Deno.test("GET about counts a skill as soon as it is shared", async () => {
  await using app = await testApp();
  const skills = async () => (await app.json("/api/v1/about")).body.stats.skills;
  for (let i = 0; i < 3; i++) assertEquals(await skills(), 0);
  await share(app);
  assertEquals(await skills(), 1);
});

Deno.test("GET about counts exactly the projects of the last seven days, even more than a page", async () => {
  await using app = await testApp();
  await submit(app);
  app.clock.advance(7 * DAY_MS);
  const newThisWeek = async () => (await app.json("/api/v1/about")).body.stats.newThisWeek;
  assertEquals(await newThisWeek(), 0);
  for (let n = 1; n <= 101; n++) await submit(app);
  assertEquals(await newThisWeek(), 101);
  app.clock.advance(1);
  await submit(app);
  app.clock.advance(7 * DAY_MS - 1);
  assertEquals(await newThisWeek(), 1);
});

Deno.test("GET meta shows the daily theme in today's colors", async () => {
  await using app = await testApp();
  const daily = async () => {
    const { body } = await app.json("/api/v1/meta");
    const { swatch, dark } = body.siteThemes[0];
    return { swatch, dark };
  };
  const none = { swatch: ["#FBFAF6", "#1954C7"], dark: false };
  assertEquals(await daily(), none);
  await setThemeControl(app.deps, { override: "amber" });
  app.clock.advance(1_000);
  assertEquals(await daily(), { swatch: ["#170E06", "#FDB01B"], dark: true });
  await setThemeControl(app.deps, { enabled: false });
  app.clock.advance(1_000);
  assertEquals(await daily(), none);
});
