import { assert, assertEquals } from "@std/assert";
import { recognize } from "@/lib/http/user_agent.ts";

Deno.test("a user agent is a browser if it says Mozilla and no bot is known by it", () => {
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  assertEquals(recognize(firefox).isBrowser, true);
  for (
    const userAgent of [
      "",
      "Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18",
      "Mozilla/5.0 (compatible; bingbot/2.0)",
    ]
  ) assertEquals(recognize(userAgent).isBrowser, false, userAgent);
});

Deno.test("a long user agent is recognized by its start, and isn't cached", () => {
  const facts = recognize("GPTBot/1.2");
  assert(recognize("GPTBot/1.2") === facts, "kept");
  const long = `GPTBot/1.2 ${"x".repeat(60_000)}`;
  assertEquals(recognize(long), facts);
  assertEquals(recognize(`${"x".repeat(1_000)} GPTBot/1.2`).aiAgent, null);
  assert(recognize(long) !== recognize(long), "recognized again");
});
