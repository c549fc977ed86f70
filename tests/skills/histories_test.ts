import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY_MS } from "@/lib/clock.ts";
import { voteRanges } from "@/lib/votes/keys.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { addressOf } from "../support/listings.ts";
import { share, skillBody } from "../support/skills.ts";

const path = "/api/v1/skills";

async function entries(app: TestApp, prefix: Deno.KvKey): Promise<Deno.KvEntry<unknown>[]> {
  return await Array.fromAsync(app.deps.store.list({ prefix }));
}

const step = fc.record({
  what: fc.constantFrom("vote", "unvote", "copy", "edit"),
  network: fc.integer({ min: 0, max: 3 }),
  browser: fc.constantFrom("A", "B", "C"),
});

Deno.test("votes and copies of a skill equal the stored ones after any concurrent history", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { maxLength: 25, size: "max" }), { minLength: 1, maxLength: 3 }),
      async (days) => {
        await using app = await testApp();
        const { slug, editKey } = await share(app);
        for (const steps of days) {
          const answers = await Promise.all(steps.map(({ what, network, browser }, i) => {
            const options = { address: addressOf(network), userAgent: browser };
            if (what === "edit") {
              return app.request(`${path}/${slug}`, {
                ...options,
                method: "PATCH",
                json: { title: `T ${i}` },
                editKey,
              });
            }
            const method = what === "unvote" ? "DELETE" : "POST";
            return app.request(`${path}/${slug}/${what === "copy" ? "copy" : "vote"}`, {
              ...options,
              method,
            });
          }));
          for (const { status } of answers) assertEquals(status, 200);
          app.clock.advance(DAY_MS);
        }
        const votes =
          (await Array.fromAsync(app.deps.store.list(voteRanges.votes("skill", slug)))).length;
        const copiers = (await entries(app, ["skill_copiers", slug])).map(({ value }) =>
          value as string[]
        );
        for (const voters of copiers) assertEquals(new Set(voters).size, voters.length);
        const copies = copiers.reduce((sum, voters) => sum + voters.length, 0);
        const { body } = await app.json(`${path}/${slug}`);
        assertEquals([body.skill.votes, body.skill.copies], [votes, copies]);
        const listed = (await app.json(path)).body.skills[0];
        assertEquals([listed.votes, listed.copies, listed.title], [
          votes,
          copies,
          body.skill.title,
        ]);
      },
    ),
    { numRuns: 25 },
  );
});

Deno.test("a rejected submission or edit of a skill leaves no keys behind", async () => {
  await using app = await testApp();
  const { slug, editKey, skill } = await share(app);
  const other = await share(app);
  const keys = async () =>
    (await entries(app, [])).filter(({ key }) => key[0] !== "rate_limits" && key[0] !== "markers")
      .map(({ key, versionstamp }) => `${JSON.stringify(key)} ${versionstamp}`);
  const before = await keys();
  const refused: [string, Record<string, unknown>, number][] = [
    ["POST", skillBody({ content: skill.content }), 409],
    ["POST", skillBody({ license: "none" }), 400],
    ["PATCH", { content: other.skill.content, title: "Half" }, 409],
    ["PATCH", { origin: "third-party", title: "Half" }, 400],
  ];
  for (const [method, json, status] of refused) {
    const address = method === "POST" ? path : `${path}/${slug}`;
    const answer = await app.json(address, { method, json, editKey });
    assertEquals(answer.status, status);
  }
  assertEquals(await keys(), before);
  assert((await entries(app, ["rate_limits", "skillSubmissions"])).length === 2);
});
