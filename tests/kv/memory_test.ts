import { assert, assertEquals } from "@std/assert";
import { Memory } from "@/lib/kv/memory.ts";
import type { KeyUse, KeyUses } from "@/lib/kv/tx.ts";

const entry = (n: number, versionstamp = "1") => ({ key: ["k", n], value: n, versionstamp });
const id = (n: number) => JSON.stringify(["k", n]);
/** What a transaction does with a key that it has recalled. */
const recalled = (n: number, use: Partial<KeyUse> = {}): KeyUses =>
  new Map([[id(n), {
    key: ["k", n],
    versionstamp: null,
    isRecalled: true,
    write: null,
    value: undefined,
    expireIn: undefined,
    sum: 0n,
    ...use,
  }]]);

Deno.test("memory keeps what it is asked for and forgets what is asked for no more, in bounds", () => {
  const memory = new Memory();
  let kept = 0;
  for (let n = 0; n < 100_000; n++) {
    memory.keep([entry(n)]);
    assertEquals(memory.known(id(0))?.value, 0);
  }
  for (let n = 0; n < 100_000; n++) if (memory.known(id(n)) !== undefined) kept++;
  assert(kept >= 10_000 && kept <= 20_000, `${kept}`);
  assertEquals(memory.known(id(99_999))?.value, 99_999);
});

Deno.test("memory knows the newest of an entry, and nothing of one that was deleted or did not hold", () => {
  for (const others of [0, 9_999, 10_000]) {
    const memory = new Memory();
    memory.keep([entry(1)]);
    memory.keep(Array.from({ length: others }, (_, i) => entry(i + 10)));
    memory.learn(recalled(1, { write: "set", value: "new" }), "2");
    assertEquals(memory.known(id(1)), { value: "new", versionstamp: "2" });
    memory.learn(recalled(1, { write: null }), "3");
    assertEquals(memory.known(id(1))?.value, "new");
    memory.learn(recalled(1, { write: "delete" }), "3");
    assertEquals(memory.known(id(1)), undefined);
    memory.keep([entry(1), { key: ["k", 2], value: null, versionstamp: null }]);
    assertEquals(memory.known(id(2)), undefined);
    assert(!memory.forget(recalled(1, { isRecalled: false })));
    assertEquals(memory.known(id(1))?.value, 1);
    assert(memory.forget(recalled(1)));
    assertEquals(memory.known(id(1)), undefined);
  }
});
