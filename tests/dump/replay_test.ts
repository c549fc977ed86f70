import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { DUMP_FIELDS } from "@/lib/dump/lines.ts";
import { writeDump } from "@/lib/dump/service.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

/** Runs docs/replay_dump.mjs against an app on its own port. */
async function replay(run: (app: TestApp) => Promise<void>) {
  const started = Promise.withResolvers<TestApp>();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (req) => {
      const { pathname, search } = new URL(req.url);
      return await (await started.promise).request(pathname + search);
    },
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  await using app = await testApp({ env: { BASE_URL: base } });
  started.resolve(app);
  await run(app);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      `--allow-net=127.0.0.1:${server.addr.port}`,
      "docs/replay_dump.mjs",
      base,
    ],
  }).output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, found: out === "" ? error : JSON.parse(out!) };
}

Deno.test("docs/replay_dump.mjs: a dump and the change log result in the next dump", async () => {
  const { code, found } = await replay(async (app) => {
    const entries: { slug: string; editKey: string }[] = [];
    for (let i = 0; i < 4; i++) {
      const url = `https://old-${i}.example.com`;
      const { project: { slug }, editKey } = await submit(app, { name: `Old ${i}`, url });
      entries.push({ slug, editKey });
    }
    const skills = [];
    for (let i = 0; i < 3; i++) {
      skills.push(
        await share(app, { title: `Old ${i}`, content: `Old instructions, number ${i}` }),
      );
    }
    await writeDump(app.deps, app.clock.now());
    app.clock.advance(HOUR_MS);
    const patch = (path: string, json: unknown, { editKey }: { editKey: string }) =>
      app.json(path, { method: "PATCH", json, editKey });
    await patch(`/api/v1/projects/${entries[0]!.slug}`, { tagline: "New words" }, entries[0]!);
    await patch(
      `/api/v1/skills/${skills[0]!.slug}`,
      { content: "Quite new instructions" },
      skills[0]!,
    );
    await app.json(`/api/v1/projects/${entries[2]!.slug}/vote`, { method: "POST" });
    await submit(app, { name: "Brand new", url: "https://new.example.com" });
    await share(app, { title: "Brand new", content: "Brand new instructions" });
    app.clock.advance(DAY_MS);
    await writeDump(app.deps, app.clock.now());
    app.clock.advance(HOUR_MS);
    await submit(app, { name: "Too late", url: "https://late.example.com" });
    await setSkillHidden(app.deps, { slug: skills[2]!.slug, hidden: true });
  });
  assertEquals([code, found], [0, { records: 9, changed: 10, later: 2, differences: [] }]);
});

Deno.test("docs/replay_dump.mjs reports where a dump differs from the changes", async () => {
  const { code, found } = await replay(async (app) => {
    const { project: { slug } } = await submit(app);
    await writeDump(app.deps, app.clock.now());
    app.clock.advance(DAY_MS);
    // Bypasses the change log.
    const row = app.deps.catalogue.at(slug)!;
    app.deps.catalogue.put({
      ...row,
      content: row.content.replace(/"tagline":"[^"]*"/, `"tagline":"Other"`),
    });
    await writeDump(app.deps, app.clock.now());
    app.deps.catalogue.put(row);
  });
  assertEquals([code, found.differences.length], [1, 1]);
});

Deno.test("docs/replay_dump.mjs ignores fields that one of the dumps lacks", async () => {
  const { listing } = DUMP_FIELDS;
  const { code, found } = await replay(async (app) => {
    await submit(app, { linkCheck: "off" });
    app.clock.advance(HOUR_MS);
    DUMP_FIELDS.listing = listing.filter((field) => field !== "linkCheck");
    await writeDump(app.deps, app.clock.now()).finally(() => DUMP_FIELDS.listing = listing);
    app.clock.advance(DAY_MS);
    await writeDump(app.deps, app.clock.now());
  });
  assertEquals([code, found.differences], [0, []]);
});
