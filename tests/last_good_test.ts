import { assertEquals } from "@std/assert";
import { LastGood } from "@/lib/last_good.ts";

Deno.test("LastGood keeps what was read last, but nothing that was being read while it was forgotten", () => {
  const last = new LastGood<string>();
  assertEquals(last.value, undefined);
  const keep = last.begin();
  keep("first");
  assertEquals(last.value, "first");
  last.forget();
  assertEquals(last.value, undefined);
  keep("read before it was forgotten");
  assertEquals(last.value, undefined);
  last.begin()("read after it");
  assertEquals(last.value, "read after it");
});
