import { assertEquals } from "@std/assert";
import { HOUR_MS } from "@/lib/clock.ts";
import { createLogId } from "@/lib/kv/log_id.ts";
import type { StoredAction } from "@/lib/operator/actions.ts";
import { operatorKeys } from "@/lib/operator/keys.ts";
import { TEST_NOW, testApp } from "../support/app.ts";

Deno.test("GET operator-log pages through all actions, latest first, however late they were written", async () => {
  const kv = await Deno.openKv(":memory:");
  const act = async (at: number, kind: string) => {
    const action: StoredAction = { id: createLogId(at), kind, reason: "spam", at };
    await kv.set(operatorKeys.action(action.id), action);
  };
  for (let i = 0; i < 50; i++) await act(TEST_NOW - i * HOUR_MS, "listing_hidden");
  await using app = await testApp({ kv });
  const read = async (offset: number) => {
    const { body } = await app.json(`/api/v1/operator-log?limit=2&offset=${offset}`);
    const { total, nextOffset } = body;
    return { kinds: body.actions.map(({ kind }: StoredAction) => kind), total, nextOffset };
  };
  const hidden = ["listing_hidden", "listing_hidden"];
  assertEquals(await read(0), { kinds: hidden, total: 50, nextOffset: 2 });
  assertEquals(await read(49), { kinds: ["listing_hidden"], total: 50, nextOffset: null });
  assertEquals(await read(50), { kinds: [], total: 50, nextOffset: null });
  await act(app.clock.now(), "listing_unhidden");
  const shown = ["listing_unhidden", "listing_hidden"];
  assertEquals(await read(0), { kinds: shown, total: 51, nextOffset: 2 });
  // From a writer whose clock is far behind.
  await act(TEST_NOW - 1.5 * HOUR_MS, "gem_set");
  assertEquals((await read(2)).kinds, ["listing_hidden", "gem_set"]);
});
