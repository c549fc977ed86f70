import { assertEquals } from "@std/assert";
import { FilteredLists, type ListBasis } from "@/lib/discovery/filtered_lists.ts";

/** Asks for the first of a list of so many, and tells how it was found. */
function asker() {
  const lists = new FilteredLists();
  return (key: string, options: { slots?: number; basis?: ListBasis } = {}) => {
    const { slots = 3, basis = [1, 1] } = options;
    let found = "kept";
    const page = lists.part(key, {
      part: { offset: 0, limit: 1 },
      basis,
      some: () => {
        found = "some";
        return { slots: [7], total: slots };
      },
      all: () => {
        found = "all";
        return new Array(slots).fill(7);
      },
    });
    assertEquals(page, { slots: [7], total: slots });
    return found;
  };
}

Deno.test("a list is made whole when it is asked for again, and kept until what it rests on changes", () => {
  const ask = asker();
  assertEquals([ask("a"), ask("a"), ask("a"), ask("b")], ["some", "all", "kept", "some"]);
  for (const basis of [[2, 1], [2, 2]] as const) {
    assertEquals([ask("a", { basis }), ask("a", { basis })], ["some", "all"]);
  }
  assertEquals(ask("a", { basis: [2, 2] }), "kept");
});

Deno.test("the oldest lists go when a million slots or 500 lists are kept", () => {
  const ask = asker();
  for (const key of ["a", "b"]) {
    assertEquals([ask(key, { slots: 400_000 }), ask(key, { slots: 400_000 })], ["some", "all"]);
  }
  assertEquals(ask("a", { slots: 400_000 }), "kept");
  assertEquals([ask("c", { slots: 300_000 }), ask("c", { slots: 300_000 })], ["some", "all"]);
  assertEquals(["b", "c"].map((key) => ask(key, { slots: key === "b" ? 400_000 : 300_000 })), [
    "kept",
    "kept",
  ]);
  assertEquals(ask("a", { slots: 400_000 }), "some");
  for (let n = 0; n < 500; n++) ask(`${n}`);
  assertEquals(ask("b", { slots: 400_000 }), "some");
  assertEquals(ask("499"), "all");
});
