import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { dumpKeys } from "@/lib/dump/keys.ts";
import { DUMP_FIELDS } from "@/lib/dump/lines.ts";
import { writeDump } from "@/lib/dump/service.ts";
import { ListingPatch, PublicListing } from "@/lib/listings/schema.ts";
import { audited } from "@/lib/operator/actions.ts";
import { forgetEntry } from "@/lib/operator/forget.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { FullSkill, SkillPatch } from "@/lib/skills/schema.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { setSwitches } from "@/lib/switches.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

const write = (app: TestApp) => writeDump(app.deps, app.clock.now());
const manifestOf = async (app: TestApp) => (await app.json("/data/manifest.json")).body;

/** Downloads a dump, checks it against its manifest and returns its lines. */
async function linesOf(app: TestApp, dump: Record<string, never>) {
  const { url, file, lines } = dump as unknown as {
    url: string;
    file: { bytes: number; sha256: string };
    lines: { bytes: number; sha256: string };
  };
  const answer = await app.request(new URL(url).pathname);
  assertEquals(answer.headers.get("content-type"), "application/gzip");
  const packed = new Uint8Array(await answer.arrayBuffer());
  assertEquals(Number(answer.headers.get("content-length")), packed.length);
  const text = gunzipSync(packed);
  for (const [bytes, said] of [[packed, file], [text, lines]] as const) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    assertEquals({ bytes: bytes.length, sha256 }, said);
  }
  return text.toString().trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

async function stored(app: TestApp): Promise<number> {
  const all = await Array.fromAsync(app.deps.store.list({ prefix: dumpKeys.allChunks }));
  return all.length;
}

Deno.test("the dump has everything public and nothing private or hidden", async () => {
  await using app = await testApp();
  const shown = await submit(app, {
    name: "Shown",
    url: "https://shown.example.com",
    description: "All of it",
    contactEmail: "secret@example.com",
  });
  const hidden = await submit(app, { name: "Concealed", url: "https://hidden.example.com" });
  await moveListing(app.deps, { slug: hidden.project.slug, step: "hide" });
  await setSwitches(app.deps.store, { review: true });
  await submit(app, { name: "Waiting", url: "https://waiting.example.com" });
  await setSwitches(app.deps.store, { review: false });
  const skill = await share(app, { title: "Known", content: "Known instructions, all of them." });
  const other = await share(app, { title: "Veiled", content: "Veiled instructions, all of them." });
  await setSkillHidden(audited(app.deps, { kind: "skill_hidden", reason: "spam" }), {
    slug: other.slug,
    hidden: true,
  });
  await app.json("/api/v1/poll/vote", { json: { candidate: "claude", reason: "Just so" } });
  await app.json(`/api/v1/projects/${shown.project.slug}/vote`, { method: "POST" });
  app.clock.advance(2 * DAY_MS);
  assertEquals(await write(app), true);
  const manifest = await manifestOf(app);
  assertEquals(manifest.latest.counts, { listing: 1, skill: 1, poll_day: 1, action: 1 });
  assertEquals([manifest.before, manifest.fields], [null, DUMP_FIELDS]);
  const lines = await linesOf(app, manifest.latest);
  const [listing, known, day, action] = lines;
  assertEquals(lines.length, 4);
  const { project } = (await app.json(`/api/v1/projects/${shown.project.slug}`)).body;
  assertEquals(listing, {
    type: "listing",
    record: Object.fromEntries(DUMP_FIELDS.listing.map((field) => [field, project[field]])),
    counts: { votes: 1, clicks: 0 },
  });
  assertEquals(listing.record.description, "All of it");
  const full = (await app.json(`/api/v1/skills/${skill.slug}`)).body.skill;
  assertEquals(
    known.record,
    Object.fromEntries(DUMP_FIELDS.skill.map((field) => [field, full[field]])),
  );
  assertEquals([known.counts, known.record.content], [
    { votes: 0, copies: 0 },
    "Known instructions, all of them.",
  ]);
  const exported = await app.json(`/api/v1/poll/export?day=2026-03-04&format=json`);
  assertEquals(day, { type: "poll_day", day: "2026-03-04", rows: exported.body.rows });
  assertEquals(action, {
    type: "action",
    kind: "skill_hidden",
    reason: "spam",
    day: "2026-03-04",
  });
  const all = JSON.stringify(lines);
  for (const secret of ["secret@", "Concealed", "Waiting", "Veiled", "keyHash", "Just so"]) {
    assert(!all.includes(secret), secret);
  }
});

Deno.test("the dump has every public field that can be edited", () => {
  const shapes = { listing: [ListingPatch, PublicListing], skill: [SkillPatch, FullSkill] };
  for (const [type, [patch, shown]] of Object.entries(shapes)) {
    const fields = new Set(DUMP_FIELDS[type as keyof typeof shapes]);
    const missing = Object.keys(patch!.shape)
      .filter((field) => field in shown!.shape && !fields.has(field));
    assertEquals(missing, [], type);
  }
});

Deno.test("the dump is written once per UTC day, and only the last two are kept", async () => {
  await using app = await testApp();
  for (let i = 0; i < 3; i++) {
    // Texts that compress badly, so that there are several chunks.
    for (let n = 0; n < 5; n++) {
      const content = Array.from({ length: 500 }, () => crypto.randomUUID()).join(" ");
      await share(app, { title: `T ${i} ${n}`, content });
    }
    assertEquals(await write(app), true);
    assertEquals(await write(app), false);
    app.clock.advance(DAY_MS);
  }
  const { latest, before } = await manifestOf(app);
  assertEquals([before.at, latest.at], ["2026-03-05T12:00:00.000Z", "2026-03-06T12:00:00.000Z"]);
  assertEquals([before.counts.skill, latest.counts.skill], [10, 15]);
  assertEquals((await linesOf(app, before)).length, 10);
  assertEquals((await linesOf(app, latest)).length, 15);
  const sizes = [before, latest].map(({ file }) => Math.ceil(file.bytes / 61_440));
  assert(sizes[1]! > 1);
  assertEquals(await stored(app), sizes[0]! + sizes[1]!);
  const head = await app.request(new URL(latest.url).pathname, { method: "HEAD" });
  assertEquals(head.headers.get("content-length"), String(latest.file.bytes));
  const again = await app.request(new URL(latest.url).pathname, {
    headers: { "if-none-match": head.headers.get("etag")! },
  });
  assertEquals([again.status, again.headers.get("content-length"), await again.text()], [
    304,
    null,
    "",
  ]);
  for (const name of ["", `${"0".repeat(21)}.jsonl.gz`, "x"]) {
    assertEquals((await app.request(`/data/${name || "none"}`)).status, 404);
  }
});

Deno.test("a hidden, forgotten or withdrawn listing leaves the dumps with the next run", async () => {
  const ways: ((app: TestApp, slug: string, editKey: string) => Promise<unknown>)[] = [
    (app, slug) =>
      moveListing(audited(app.deps, { kind: "listing_hidden", reason: "spam" }), {
        slug,
        step: "hide",
      }),
    (app, slug) =>
      forgetEntry(audited(app.deps, { kind: "listing_forgotten", reason: null }), "listing", slug),
    (app, slug, editKey) => app.request(`/api/v1/projects/${slug}`, { method: "DELETE", editKey }),
  ];
  for (const takeDown of ways) {
    await using app = await testApp();
    const { project: { slug }, editKey } = await submit(app, { name: "Gone soon" });
    await write(app);
    app.clock.advance(DAY_MS);
    await write(app);
    const { latest, before } = await manifestOf(app);
    app.clock.advance(HOUR_MS);
    await takeDown(app, slug, editKey);
    app.clock.advance(3 * MINUTE_MS);
    assertEquals(await write(app), true);
    const now = await manifestOf(app);
    assertEquals([now.latest.counts.listing, now.before], [0, null]);
    for (const { url } of [latest, before]) {
      assertEquals((await app.request(new URL(url).pathname)).status, 404);
    }
    app.clock.advance(HOUR_MS);
    assertEquals(await write(app), false, "once is enough");
    assertEquals(await stored(app), 1);
  }
});

Deno.test("a dump from before the clock was set back doesn't keep what has been hidden since", async () => {
  for (const back of [6 * HOUR_MS, DAY_MS]) {
    await using app = await testApp();
    const { project: { slug } } = await submit(app);
    app.clock.advance(back);
    await write(app);
    app.clock.advance(-back + MINUTE_MS);
    await moveListing(app.deps, { slug, step: "hide" });
    app.clock.advance(3 * MINUTE_MS);
    assertEquals(await write(app), true);
    const { latest, before } = await manifestOf(app);
    assertEquals([latest.counts.listing, before], [0, null]);
    app.clock.advance(HOUR_MS);
    assertEquals(await write(app), false);
  }
});

Deno.test("a failed dump keeps the one before, and the next run deletes its parts", async () => {
  const plain = await Deno.openKv(":memory:");
  let isBroken = false;
  const kv = kvWith(plain, {
    operation(operation) {
      const set = operation.set.bind(operation);
      operation.set = (key, ...rest) => {
        if (isBroken && key[0] === "dump") throw new Error("The process ends here");
        return set(key, ...rest);
      };
    },
  });
  await using app = await testApp({ kv });
  await submit(app);
  await write(app);
  const { latest } = await manifestOf(app);
  app.clock.advance(DAY_MS);
  isBroken = true;
  await write(app).then(() => assert(false), () => {});
  isBroken = false;
  assertEquals((await manifestOf(app)).latest, latest);
  assertEquals((await linesOf(app, latest)).length, 1);
  assertEquals(await stored(app), 2);
  assertEquals(await write(app), false, "it may still be under way elsewhere");
  app.clock.advance(31 * MINUTE_MS);
  assertEquals(await write(app), true);
  const { before } = await manifestOf(app);
  assertEquals(before, latest);
  assertEquals(await stored(app), 2);
});

/** A service on a KV that calls `asked` before each read of the claim, with the number of reads. */
async function claimedApp(asked: (times: number) => Promise<unknown> | void): Promise<TestApp> {
  const plain = await Deno.openKv(":memory:");
  let times = 0;
  const kv = kvWith(plain, {
    async getMany(keys) {
      if (keys.some(([first]) => first === dumpKeys.claim[0])) await asked(++times);
      return await plain.getMany(keys);
    },
  });
  return await testApp({ kv });
}

Deno.test("a dump that another process has just finished keeps its parts", async () => {
  let other: Promise<boolean> | undefined;
  await using app = await claimedApp(async (times) => {
    // The first dump asks twice.
    if (times === 3) await (other = write(app));
  });
  await submit(app);
  await write(app);
  app.clock.advance(DAY_MS);
  assertEquals([await write(app), await other], [false, true]);
  const { latest, before } = await manifestOf(app);
  for (const dump of [latest, before]) assertEquals((await linesOf(app, dump)).length, 1);
});

Deno.test("a writer that lost its claim leaves the other one's parts alone", async () => {
  const resumed = Promise.withResolvers<void>();
  let second: Promise<boolean> | undefined;
  await using app = await claimedApp(async (times) => {
    if (times === 2) {
      app.clock.advance(31 * MINUTE_MS);
      second = write(app);
      await resumed.promise;
    } else if (times === 4) {
      resumed.resolve();
      await first;
    }
  });
  await submit(app);
  const first = write(app);
  assertEquals([await first, await second], [false, true]);
  assertEquals((await linesOf(app, (await manifestOf(app)).latest)).length, 1);
  assertEquals(await stored(app), 1);
});

Deno.test("/data links to the file and has its terms; sitemap, llms.txt and submit forms link to /data", async () => {
  await using app = await testApp();
  assertStringIncludes(await app.text("/data"), "The first file will be ready tonight.");
  await write(app);
  app.clock.advance(2_000);
  const { latest } = await manifestOf(app);
  const page = await app.text("/data");
  assertStringIncludes(page, `href="${new URL(latest.url).pathname}"`);
  assertMatch(page, /id="terms"/);
  assertStringIncludes(await app.text("/sitemap.xml"), "<loc>http://projectory.test/data</loc>");
  assertStringIncludes(await app.text("/llms.txt"), "(http://projectory.test/data.md)");
  for (const form of ["/submit", "/skills/submit"]) {
    assertStringIncludes(await app.text(form), 'href="/data"');
  }
});
