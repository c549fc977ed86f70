import { assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { type Answer, AnswerCache, keptAnswer } from "@/lib/discovery/answer_cache.ts";
import { entity } from "@/lib/http/respond.ts";
import { fixedClock } from "../support/fixed_clock.ts";

Deno.test("AnswerCache keeps an answer however often another one is made anew, and makes room for many", () => {
  const catalogue = { revision: 0, rankedAt: 0 };
  const answers = new AnswerCache({ catalogue, clock: fixedClock(0) });
  const answer = { content: entity("x".repeat(100_000)) };
  const keep = (key: string) => [1, 2].forEach(() => answers.set(key, answer, answers.basis()));
  keep("other");
  for (let i = 0; i < 400; i++) keep("hot");
  assertEquals(answers.get("other"), answer);
  for (let i = 0; i < 200; i++) keep(`page ${i}`);
  assertEquals(answers.get("other"), undefined, "16 MB are full");
  assertEquals(answers.get("page 199"), answer);
});

Deno.test("AnswerCache counts what is kept beside bodies: small answers and long addresses fill it too", () => {
  const catalogue = { revision: 0, rankedAt: 0 };
  const answers = new AnswerCache({ catalogue, clock: fixedClock(0) });
  const answer = { content: entity("{}") };
  const keep = (key: string) => [1, 2].forEach(() => answers.set(key, answer, answers.basis()));
  const kept = (key: string) => answers.get(key) === answer;
  keep("first");
  for (let i = 0; i < 9_000; i++) keep(`${i} ${"y".repeat(1_400)}`);
  assertEquals(kept("first"), false, "16 MB are full");
  keep("second");
  for (let i = 0; i < 32_000; i++) keep(`${i}`);
  assertEquals([kept("second"), kept("31999")], [false, true]);
});

Deno.test("AnswerCache ends an answer with the catalogue, ranking, time or other state that it shows", () => {
  const get = (answer: Partial<Answer>, { changes = 0, rankings = 0, ms = 0, also = "a" }) => {
    const catalogue = { revision: 0, rankedAt: 0 };
    const clock = fixedClock(1000);
    const answers = new AnswerCache({ catalogue, clock });
    const made = { content: entity("{}"), also: "a", ...answer };
    [1, 2].forEach(() => answers.set("key", made, answers.basis()));
    catalogue.revision += changes;
    catalogue.rankedAt += rankings;
    clock.advance(ms);
    return answers.get("key", also) === made;
  };
  assertEquals(get({}, { rankings: 1, ms: DAY_MS }), true);
  assertEquals(get({}, { changes: 1 }), false);
  assertEquals(get({}, { also: "b" }), false);
  assertEquals(get({ ranked: true }, {}), true);
  assertEquals(get({ ranked: true }, { rankings: 1 }), false);
  assertEquals(get({ maxAgeMs: 500 }, { ms: 0 }), true);
  assertEquals(get({ maxAgeMs: 500 }, { ms: 499 }), true);
  assertEquals(get({ maxAgeMs: 500 }, { ms: 500 }), false);
  assertEquals(get({ maxAgeMs: 500 }, { ms: -1 }), false);
});

Deno.test("AnswerCache encodes what it keeps, if that has characters beyond Latin-1", () => {
  const answers = new AnswerCache({
    catalogue: { revision: 0, rankedAt: 0 },
    clock: fixedClock(0),
  });
  for (
    const [body, kinds] of [["é", ["string", "string"]], ["日本", ["string", "object"]]] as const
  ) {
    const answer = { content: entity(body) };
    const kindAfter = () => typeof answers.set(body, answer, answers.basis()).content.body;
    assertEquals([kindAfter(), kindAfter()], kinds);
  }
});

Deno.test("keptAnswer counts the age of an answer from when it began to be made, for what it shows was read then", async () => {
  const clock = fixedClock(0);
  const answers = new AnswerCache({ catalogue: { revision: 0, rankedAt: 0 }, clock });
  let made = 0;
  const madeAfter = async (readMs: number) => {
    const body = () => (clock.advance(readMs), ++made);
    await keptAnswer(answers, { key: "slow", maxAgeMs: 1_000, body });
    return made;
  };
  assertEquals([await madeAfter(0), await madeAfter(400)], [1, 2]);
  clock.advance(599);
  assertEquals(await madeAfter(0), 2);
  clock.advance(1);
  assertEquals(await madeAfter(0), 3);
});
