import { assert, assertEquals } from "@std/assert";
import { recognise } from "@/lib/http/user_agent.ts";

Deno.test("a long user agent is recognised by its start, and not kept", () => {
  const facts = recognise("GPTBot/1.2");
  assert(recognise("GPTBot/1.2") === facts, "kept");
  const long = `GPTBot/1.2 ${"x".repeat(60_000)}`;
  assertEquals(recognise(long), facts);
  assert(recognise(long) !== recognise(long), "made anew");
});
