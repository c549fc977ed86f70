import { assertEquals, assertNotEquals } from "@std/assert";
import { FilteredLists, keyOf, type ListBasis } from "@/lib/discovery/filtered_lists.ts";

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

Deno.test("a list that was asked for once is not made whole after what it rests on changed", () => {
  const ask = asker();
  assertEquals([ask("a"), ask("a", { basis: [1, 2] })], ["some", "some"]);
  assertEquals(ask("a", { basis: [1, 2] }), "all");
});

Deno.test("the oldest lists go above four million slots or 4,000 lists", () => {
  const ask = asker();
  const make = (key: string, options: Parameters<typeof ask>[1] = {}) =>
    assertEquals([ask(key, options), ask(key, options)], ["some", "all"]);
  const half = { slots: 2_000_000 };
  for (const key of ["a", "b"]) make(key, half);
  assertEquals([ask("a", half), ask("b", half)], ["kept", "kept"]);
  make("c", { slots: 1 });
  assertEquals([ask("a", half), ask("b", half)], ["some", "kept"]);
  for (let n = 2; n < 4_000; n++) make(`${n}`);
  assertEquals(ask("b", half), "kept");
  make("4000");
  assertEquals([ask("b", half), ask("c", { slots: 1 })], ["some", "kept"]);
});

Deno.test("a list that is made anew counts once, and is then the youngest", () => {
  const ask = asker();
  const large = { slots: 1_800_000 };
  const make = (key: string, order: number) => {
    const options = { ...large, basis: [1, order] as const };
    assertEquals([ask(key, options), ask(key, options)], ["some", "all"]);
  };
  make("a", 1);
  make("b", 1);
  for (const order of [2, 3]) make("a", order);
  assertEquals(ask("b", large), "kept");
  make("c", 1);
  assertEquals([ask("a", { ...large, basis: [1, 3] }), ask("b", large)], ["kept", "some"]);
});

Deno.test("lists that were asked for once take no place of those that are kept, and 4,000 are remembered", () => {
  const ask = asker();
  assertEquals([ask("kept"), ask("kept")], ["some", "all"]);
  for (let n = 0; n < 4_000; n++) ask(`${n}`);
  assertEquals(ask("0"), "all");
  for (const key of ["one more", "too many"]) ask(key);
  assertEquals([ask("1"), ask("too many"), ask("kept")], ["some", "all", "kept"]);
});

const FILTERS = ["category", "tool", "q"] as const;

Deno.test("keyOf tells lists apart that have one value in different filters, or another sort", () => {
  const queries = [{}, ...FILTERS.map((name) => ({ [name]: "1" }))];
  const keys = ["hot", "new"]
    .flatMap((sort) => queries.map((query) => keyOf({ sort, ...query }, FILTERS)));
  assertEquals(new Set(keys).size, 2 * queries.length);
});

Deno.test("keyOf names the list under some filters of a query as that of a query with only those", () => {
  const query = { category: "saas", tool: "claude", q: "parser" };
  const alone = keyOf({ sort: "hot", category: "saas" }, FILTERS);
  assertEquals(keyOf(query, FILTERS, ["category"]), alone);
  assertNotEquals(keyOf(query, FILTERS, ["category", "tool"]), alone);
});
