import { assertEquals } from "@std/assert";
import { jobs } from "@/lib/app/crons.ts";
import { HOUR_MS } from "@/lib/clock.ts";
import { KINDS } from "../../support/kinds.ts";
import { kvWith } from "../../support/kv_with.ts";
import { addressOf } from "../../support/listings.ts";
import { operator } from "../../support/operator.ts";
import { type PaidApp, paidApp } from "../../support/payments.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";

const WORDS = ["editor", "notes", "csv", "react", "chess", "weather", "map"];
const CATEGORIES = ["saas", "game", "design"];

/** The lists of both kinds, by each order and filter that histories use. */
const LISTS = KINDS.flatMap(({ list }) => [
  ...["hot", "new", "top"].map((sort) => `${list}?limit=100&sort=${sort}`),
  ...CATEGORIES.map((category) => `${list}?limit=100&category=${category}`),
  ...WORDS.flatMap((word) => [`${list}?limit=100&tag=${word}`, `${list}?limit=100&q=${word}`]),
]);
const OTHERS = [
  "/api/v1/projects?promoted=1",
  "/api/v1/trending",
  "/api/v1/categories",
  "/api/v1/changes?since=1970-01-01T00:00:00Z&limit=100",
  "/llms.txt",
  "/feed.xml",
  "/skills/feed.xml",
  "/sitemap.xml",
  "/tags.md",
];

Deno.test("a process that starts now answers like one that saw every change", async () => {
  const seed = runSeed("restart");
  for (let round = 0; round < rounds(2, 60); round++) {
    const kv = await Deno.openKv(":memory:");
    const shared = () => kvWith(kv, { close: () => {} });
    {
      await using app = await paidApp({ kv: shared() });
      await live(app, seededRandom(seed + round));
      await using restarted = await paidApp({ kv: shared(), now: app.clock.now() });
      for (const path of [...LISTS, ...OTHERS]) {
        const [before, after] = [await app.text(path), await restarted.text(path)].map((text) =>
          text.replace(/"generatedAt":"[^"]*"/, "")
        );
        assertEquals(after, before, `${path}, SEED=${seed + round}`);
      }
    }
    kv.close();
  }
});

/** A history of 150 random steps: visitors, owners, the operator, and time. */
async function live(app: PaidApp, random: () => number): Promise<void> {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  const entries: { kind: typeof KINDS[number]; path: string; slug: string; editKey: string }[] = [];
  const text = () => `${pick(WORDS)} ${pick(WORDS)}`;
  const submit = async () => {
    const kind = pick(KINDS);
    const fields = { category: pick(CATEGORIES), tags: [pick(WORDS)] };
    const body = kind.noun === "project" ? { name: text() } : { title: text() };
    const { body: made } = await app.json(kind.list, {
      json: kind.body({ ...fields, ...body }),
      address: addressOf(entries.length),
    });
    const { slug } = made[kind.noun];
    entries.push({ kind, path: `${kind.list}/${slug}`, slug, editKey: made.editKey });
  };
  await submit();
  const steps: [weight: number, run: () => Promise<unknown>][] = [
    [20, submit],
    [40, () =>
      app.json(`${pick(entries).path}/vote`, {
        method: random() < 0.8 ? "POST" : "DELETE",
        address: `198.18.7.${Math.floor(random() * 50)}`,
      })],
    [10, () => {
      const { path, editKey, kind } = pick(entries);
      const json = pick([kind.other, { tags: [pick(WORDS)] }, { category: null }]);
      return app.json(path, { method: "PATCH", editKey, json });
    }],
    [3, () => {
      const { path, editKey } = pick(entries);
      return app.json(path, { method: "DELETE", editKey });
    }],
    [10, () => {
      const { kind, slug } = pick(entries);
      const area = kind.noun === "project" ? "listings" : "skills";
      return operator(app, area, pick(["hide", "unhide"]), slug);
    }],
    [5, async () => {
      const json = { slug: pick(entries).slug, tierId: pick(["bump-3", "boost-7"]) };
      const { body } = await app.json("/api/v1/promote", { json });
      if (!body.ok) return;
      app.stripe.pay(app.sessionOf(body.checkoutUrl));
      await app.deliverAll();
    }],
    [8, async () => {
      app.clock.advance(Math.floor(random() * 5 * HOUR_MS));
      for (const { run } of jobs) await run(app.deps, app.clock.now());
    }],
  ];
  const total = steps.reduce((sum, [weight]) => sum + weight, 0);
  for (let i = 0; i < 150; i++) {
    let at = random() * total;
    await steps.find(([weight]) => (at -= weight) < 0)![1]();
  }
}
