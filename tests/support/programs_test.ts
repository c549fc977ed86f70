import { assertEquals } from "@std/assert";
import { succeeds } from "./programs.ts";

Deno.test("succeeds distinguishes programs that run from those that fail or don't exist", async () => {
  assertEquals(await succeeds("sh", "-c", "exit 0"), true);
  assertEquals(await succeeds("sh", "-c", "exit 3"), false);
  assertEquals(await succeeds("no-such-program-of-projectory"), false);
});
