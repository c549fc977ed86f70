import { assertEquals } from "@std/assert";
import { AnswerCache } from "@/lib/discovery/answers.ts";
import { entity } from "@/lib/http/respond.ts";
import { fixedClock } from "../support/fixed_clock.ts";

Deno.test("AnswerCache keeps an answer however often another one is made anew, and makes room for many", () => {
  const catalogue = { revision: 0, rankedAt: 0 };
  const answers = new AnswerCache({ catalogue, clock: fixedClock(0) });
  const answer = { content: entity("x".repeat(100_000)) };
  const keep = (key: string) => [1, 2].forEach(() => answers.set(key, answer, catalogue));
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
  const keep = (key: string) => [1, 2].forEach(() => answers.set(key, answer, catalogue));
  const kept = (key: string) => answers.get(key) === answer;
  keep("first");
  for (let i = 0; i < 9_000; i++) keep(`${i} ${"y".repeat(1_400)}`);
  assertEquals(kept("first"), false, "16 MB are full");
  keep("second");
  for (let i = 0; i < 32_000; i++) keep(`${i}`);
  assertEquals([kept("second"), kept("31999")], [false, true]);
  keep("y".repeat(30_000));
  assertEquals(kept("y".repeat(30_000)), false);
});
