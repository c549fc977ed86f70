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

Deno.test("the oldest lists go when two million slots or 500 lists are kept", () => {
  const ask = asker();
  const [large, half] = [{ slots: 800_000 }, { slots: 600_000 }];
  for (const key of ["a", "b"]) assertEquals([ask(key, large), ask(key, large)], ["some", "all"]);
  assertEquals(ask("a", large), "kept");
  assertEquals([ask("c", half), ask("c", half)], ["some", "all"]);
  assertEquals([ask("b", large), ask("c", half)], ["kept", "kept"]);
  assertEquals(ask("a", large), "some");
  for (let n = 0; n < 500; n++) assertEquals([ask(`${n}`), ask(`${n}`)], ["some", "all"]);
  assertEquals(ask("b", large), "some");
  assertEquals(ask("499"), "kept");
});

Deno.test("lists that were asked for once take no place of those that are kept, and 4,000 are remembered", () => {
  const ask = asker();
  assertEquals([ask("kept"), ask("kept")], ["some", "all"]);
  for (let n = 0; n < 3_999; n++) ask(`${n}`);
  assertEquals(ask("0"), "all");
  for (let n = 0; n < 4_000; n++) ask(`more ${n}`);
  assertEquals(ask("1"), "some");
  assertEquals(ask("kept"), "kept");
});
