import { assertEquals } from "@std/assert";
import { Answers } from "@/lib/http/answers.ts";
import { entity } from "@/lib/http/respond.ts";

Deno.test("responses beyond 16 MB evict older ones, counting bodies, keys and entries", () => {
  const fill = (count: number, body: string, keyOf: (i: number) => string) => {
    const answers = new Answers();
    const answer = { content: entity(body) };
    answers.set("first", answer);
    for (let i = 0; i < count; i++) answers.set(keyOf(i), answer);
    return [answers.get("first") === answer, answers.get(keyOf(count - 1)) === answer];
  };
  assertEquals(fill(150, "x".repeat(100_000), String), [true, true]);
  assertEquals(fill(200, "x".repeat(100_000), String), [false, true], "bodies count");
  assertEquals(fill(9_000, "{}", (i) => `${i} ${"y".repeat(1_400)}`), [false, true], "keys count");
  assertEquals(fill(32_000, "{}", String), [false, true], "each answer counts");
});
