import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { HOUR_MS } from "@/lib/clock.ts";
import type { News } from "@/lib/kv/store.ts";
import { hotScore } from "@/lib/read_model/hot.ts";
import { SkillQuery, type StoredSkill } from "@/lib/skills/schema.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { storedSkill } from "../support/stored_skill.ts";

type Plain = { stored: StoredSkill; votes: number; copies: number };

const KINDS = ["skill-md", "prompt"] as const;

function skillOf(i: number, kind: (typeof KINDS)[number], state: StoredSkill["state"]) {
  return storedSkill(`skill-${i}`, {
    title: i % 3 === 0 ? `Planner ${i}` : `Writer ${i}`,
    kind,
    category: i % 2 === 0 ? "even" : null,
    state,
    createdAt: TEST_NOW - (i % 4) * HOUR_MS,
  });
}

const step = fc.oneof(
  fc.record({
    i: fc.nat({ max: 8 }),
    kind: fc.constantFrom(...KINDS),
    state: fc.constantFrom("live" as const, "live" as const, "hidden" as const),
  }),
  fc.record({ i: fc.nat({ max: 8 }), count: fc.constantFrom("votes", "copies") }),
  fc.record({ hours: fc.integer({ min: 1, max: 90 }) }),
);

Deno.test("SkillCatalogue orders, filters and pages like a full sort of every live skill", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (history) => {
      await using app = await testApp();
      const { skills, store } = app.deps;
      const live = new Map<string, Plain>();
      const log = { id: "x", at: TEST_NOW };
      for (const one of history) {
        let news: News;
        if ("hours" in one) {
          app.clock.advance(one.hours * HOUR_MS);
          continue;
        } else if ("count" in one) {
          const slug = `skill-${one.i}`;
          const known = live.get(slug);
          if (known === undefined) continue;
          known[one.count as "votes" | "copies"]++;
          const kind = one.count === "votes" ? "skill_vote" : "skill_copy";
          news = { type: "pulse", pulse: { ...log, kind, slug, delta: 1 } };
        } else {
          const stored = skillOf(one.i, one.kind, one.state);
          const { slug } = stored;
          const { votes, copies } = live.get(slug) ?? { votes: 0, copies: 0 };
          live.delete(slug);
          if (stored.state === "live") live.set(slug, { stored, votes, copies });
          const change = { ...log, kind: "skill", slug, event: "created" } as const;
          news = { type: "change", change, payload: stored };
        }
        store.tell(news);
        const now = app.clock.now();
        for (const query of ["", "&kind=prompt", "&category=even", "&q=planner&kind=skill-md"]) {
          for (const sort of ["hot", "new", "top", "copied"] as const) {
            const params = Object.fromEntries(new URLSearchParams(`sort=${sort}${query}`));
            const asked = SkillQuery.parse({ ...params, limit: "3", offset: "1" });
            const rank = ({ stored, votes, copies }: Plain) =>
              ({
                new: 0,
                top: votes,
                copied: copies,
                hot: hotScore({ votes, uses: copies, createdAt: stored.createdAt }, now),
              })[sort];
            const all = [...live.values()]
              .filter(({ stored }) =>
                stored.kind === (asked.kind ?? stored.kind) &&
                stored.category === (asked.category ?? stored.category) &&
                (asked.q === undefined || stored.title.startsWith("Planner"))
              )
              .sort((a, b) =>
                rank(b) - rank(a) || b.stored.createdAt - a.stored.createdAt ||
                (a.stored.slug < b.stored.slug ? -1 : 1)
              );
            const { items, total } = skills.list(asked);
            assertEquals(
              [items.map(({ slug, votes, copies }) => [slug, votes, copies]), total],
              [
                all.slice(1, 4).map(({ stored, votes, copies }) => [stored.slug, votes, copies]),
                all.length,
              ],
              `${sort}${query}`,
            );
          }
        }
      }
    }),
    { numRuns: 30 },
  );
});
