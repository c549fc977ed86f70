import { assert, assertEquals } from "@std/assert";
import { Memory } from "@/lib/kv/memory.ts";
import type { KeyUse, KeyUses } from "@/lib/kv/tx.ts";

const entry = (n: number, versionstamp = "1") => ({ key: ["k", n], value: n, versionstamp });
const id = (n: number) => JSON.stringify(["k", n]);
/** What a transaction does with a key that it has recalled, and that is to be remembered. */
const recalled = (n: number, use: Partial<KeyUse> = {}): KeyUses => [{
  key: ["k", n],
  id: id(n),
  versionstamp: null,
  isRecalled: true,
  isRemembered: true,
  write: null,
  value: undefined,
  expireIn: undefined,
  sum: 0n,
  ...use,
}];

/** The first number behind `n` whose key has the same place. */
function sharesPlace(n: number): number {
  const memory = new Memory();
  memory.keep([entry(n)]);
  for (let other = n + 1;; other++) {
    memory.keep([entry(other)]);
    if (memory.known(id(n)) === undefined) return other;
  }
}

Deno.test("memory keeps what it was told last, in bounds", () => {
  const memory = new Memory();
  let kept = 0;
  for (let n = 0; n < 100_000; n++) {
    memory.keep([entry(n)]);
    assertEquals(memory.known(id(n))?.value, n);
  }
  for (let n = 0; n < 100_000; n++) if (memory.known(id(n)) !== undefined) kept++;
  // Each of its 8,192 places was taken a dozen times.
  assert(kept > 8_100 && kept <= 8_192, `${kept}`);
});

Deno.test("memory knows the newest of an entry, and nothing of one that was deleted or did not hold", () => {
  const memory = new Memory();
  memory.keep([entry(1)]);
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
});

Deno.test("memory learns of a key that is not to be remembered only what replaces something known", () => {
  const memory = new Memory();
  const set = (value: number) => recalled(1, { isRemembered: false, write: "set", value });
  memory.learn(set(1), "1");
  assertEquals(memory.known(id(1)), undefined);
  memory.keep([entry(1)]);
  memory.learn(set(2), "2");
  assertEquals(memory.known(id(1)), { value: 2, versionstamp: "2" });
});

Deno.test("memory gives the place of a key to the next one, which the first can neither read nor remove", () => {
  const memory = new Memory();
  const other = sharesPlace(1);
  memory.keep([entry(1), entry(other)]);
  assertEquals(memory.known(id(1)), undefined);
  assert(memory.forget(recalled(1)));
  memory.learn(recalled(1, { write: "delete" }), "2");
  memory.learn(recalled(1, { isRemembered: false, write: "set", value: "wrong" }), "2");
  assertEquals(memory.known(id(other)), { value: other, versionstamp: "1" });
});
