import { assertEquals } from "@std/assert";
import { HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { createLogId } from "@/lib/kv/log_id.ts";
import type { StoredAction } from "@/lib/operator/actions.ts";
import { operatorKeys } from "@/lib/operator/keys.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { kvListing } from "../support/kv_with.ts";

Deno.test("GET operator-log rereads only what can be new, and everything once an hour", async () => {
  const kv = await Deno.openKv(":memory:");
  let entries = 0;
  const counting = kvListing(kv, () => entries++);
  const act = async (at: number, kind: string) => {
    const action: StoredAction = { id: createLogId(at), kind, reason: "spam", at };
    await kv.set(operatorKeys.action(action.id), action);
  };
  const old = 50;
  for (let i = 0; i < old; i++) await act(TEST_NOW - i * HOUR_MS, "listing_hidden");
  await using app = await testApp({ kv: counting });
  const read = async (query = "") => {
    entries = 0;
    const { body } = await app.json(`/api/v1/operator-log?limit=2${query}`);
    const kinds = body.actions.map(({ kind }: StoredAction) => kind);
    return { kinds, total: body.total, entries };
  };
  const hidden = ["listing_hidden", "listing_hidden"];
  assertEquals(await read(), { kinds: hidden, total: old, entries: old });
  assertEquals(await read("&offset=49"), { kinds: ["listing_hidden"], total: old, entries: 1 });
  assertEquals((await read("&offset=50")).kinds, []);
  await act(app.clock.now(), "listing_unhidden");
  const shown = ["listing_unhidden", "listing_hidden"];
  assertEquals(await read(), { kinds: shown, total: old + 1, entries: 2 });
  app.clock.advance(10 * MINUTE_MS);
  assertEquals(await read(), { kinds: shown, total: old + 1, entries: 2 });
  assertEquals(await read(), { kinds: shown, total: old + 1, entries: 0 });
  // From a writer whose clock is far behind.
  await act(TEST_NOW - 1.5 * HOUR_MS, "gem_set");
  assertEquals((await read()).total, old + 1);
  app.clock.advance(HOUR_MS);
  assertEquals(await read("&offset=1"), { kinds: hidden, total: old + 2, entries: old + 2 });
});
