import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { setGem } from "@/lib/discovery/gems.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { callReadingTools, crawlSite } from "../support/crawl.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";
import { share } from "../support/skills.ts";

/** Words of the hidden listing and skill; their slugs are spelled differently. */
const WORDS = ["Quokkazilla", "Taglinezap", "Descriptionzap", "zap-host.com", "zaptag", "Notezap"];
const SKILL_WORDS = ["Skillzap", "Summaryzap", "Contentzap", "authorzap"];
const TARGETS = { listing: "quokkazilla", skill: "skillzap-runner", auction: AUCTION_ID };

Deno.test("a hidden listing and skill, previously promoted and picked, are on no surface (invariant 12)", async () => {
  await using app = await paidApp();
  await rise(app);
  await assertPublic(app);
  for (const slug of [TARGETS.listing, "numbat"]) {
    await moveListing(app.deps, { slug, step: "hide" });
  }
  await setSkillHidden(app.deps, { slug: TARGETS.skill, hidden: true });
  await assertOnNoSurface(app);
});

Deno.test("a withdrawn listing and skill, previously promoted and picked, are on no surface", async () => {
  await using app = await paidApp();
  const keys = await rise(app);
  await assertPublic(app);
  for (const [path, editKey] of Object.entries(keys)) {
    assertEquals((await app.request(path, { method: "DELETE", editKey })).status, 200);
  }
  await assertOnNoSurface(app);
});

/** Asserts that what is taken down afterward is public. This also fills every cache with it. */
async function assertPublic(app: PaidApp): Promise<void> {
  const before = await readAll(app);
  for (const word of [...WORDS, ...SKILL_WORDS]) {
    const places = before.filter(({ text }) => text.includes(word)).length;
    assert(places > 3, `${word} must have been public, and was at ${places} places`);
  }
  const asked = before.filter(({ from }) => / (by name|completion)$/.test(from));
  const isNamed = ({ text }: { text: string }) =>
    [TARGETS.listing, TARGETS.skill].some((slug) => text.includes(slug));
  assertEquals(asked.map(isNamed), [true, true, true, true]);
}

async function assertOnNoSurface(app: PaidApp): Promise<void> {
  await app.deps.placements.caughtUp();
  const after = await readAll(app);
  const shown = after.flatMap(({ from, text }) =>
    [...WORDS, ...SKILL_WORDS].filter((word) => text.includes(word)).map((word) =>
      `${word}: ${from}`
    )
  );
  assertEquals(shown, []);
  // Its slug shows only where the change log reports its removal and where the request named it.
  const named = after.filter(({ from, text }) =>
    !from.includes(TARGETS.listing) && !/changes/.test(from) && text.includes(TARGETS.listing)
  );
  assertEquals(named.map(({ from }) => from), []);
  const own = after.filter(({ from }) =>
    /^GET \/(p|go|api\/v1\/projects|skills|api\/v1\/skills)\/(quokkazilla|skillzap-runner)/.test(
      from,
    )
  );
  assert(own.length > 5, `${own.length} answers at their own addresses`);
  // What needs the edit key asks for it first, whether or not the listing exists.
  const isKeyed = (from: string) => /\/api\/v1\/.*\/(notices|promotion-report)$/.test(from);
  const wrong = own.filter(({ from, status }) =>
    status !== 404 && !(isKeyed(from) && status === 403)
  );
  assertEquals(wrong.map(({ from }) => from), []);
}

/**
 * Submits, shares, votes, promotes and picks, and makes the listing win this week's Front Row.
 * Returns the edit keys by path.
 */
async function rise(app: PaidApp): Promise<Record<string, string>> {
  const { project: { slug }, editKey } = await submit(app, {
    name: "Quokkazilla",
    url: "https://zap-host.com",
    tagline: "Taglinezap for everyone",
    description: "Descriptionzap in full",
    tags: ["zaptag"],
    category: "game",
    builtWith: ["claude"],
  });
  assertEquals(slug, TARGETS.listing);
  const skill = await share(app, {
    title: "Skillzap Runner",
    summary: "Summaryzap of it",
    content: "# Contentzap\n\nRun it twice.\n",
    author: "authorzap",
  });
  assertEquals(skill.slug, TARGETS.skill);
  await app.json("/api/v1/promote", { json: { slug, tierId: "spotlight-30" } });
  await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, { json: { slug, amountCents: 5000 } });
  for (const id of [...app.stripe.sessions.keys()]) app.stripe.pay(id);
  await app.deliverAll();
  app.clock.advance(5 * DAY_MS);
  await app.json(`/api/v1/auctions/${AUCTION_ID}`);
  await app.deliverAll();
  // A gem is never promoted, so it is another listing.
  const gem = await submit(app, { name: "Numbat", tagline: "Taglinezap of the gem" });
  await setGem(app.deps, { slug: gem.project.slug, note: "Notezap because of its facts" });
  await app.request(`/api/v1/projects/${slug}/vote`, { method: "POST" });
  await app.request(`/api/v1/skills/${skill.slug}/vote`, { method: "POST" });
  const { body } = await app.json("/api/v1/trending");
  assertEquals([body.frontRow?.slug, body.frontRow?.promoted], [slug, true]);
  return {
    [`/api/v1/projects/${slug}`]: editKey,
    [`/api/v1/projects/${gem.project.slug}`]: gem.editKey,
    [`/api/v1/skills/${skill.slug}`]: skill.editKey,
  };
}

async function readAll(app: PaidApp): Promise<{ from: string; text: string; status: number }[]> {
  const read: { from: string; text: string; status: number }[] = [];
  await crawlSite(app, TARGETS, async (path, init) => {
    const response = await app.request(path, init);
    const text = await response.text();
    const headers = [...response.headers].map((pair) => pair.join(": ")).join("\n");
    const from = `${init.method ?? "GET"} ${path}`;
    read.push({ from, text: `${headers}\n${text}`, status: response.status });
    return text;
  });
  await callReadingTools(app, TARGETS, {
    as: {},
    keep: (from, text) => read.push({ from: `tool ${from}`, text, status: 200 }),
  });
  return read;
}
