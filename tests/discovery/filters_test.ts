import { assertEquals, assertNotEquals } from "@std/assert";
import { FILTERS, keyOf } from "@/lib/discovery/filters.ts";

Deno.test("keyOf tells lists apart that have one value in different filters, or another sort", () => {
  const filters = [{}, ...FILTERS.map((name) => ({ [name]: "1" }))];
  const keys = (["hot", "new"] as const)
    .flatMap((sort) => filters.map((filter) => keyOf({ sort, ...filter, limit: 1 })));
  assertEquals(new Set(keys).size, 2 * filters.length);
});

Deno.test("keyOf names the list under some filters of a query as that of a query with only those", () => {
  const query = { category: "saas", tool: "claude", q: "parser", limit: 1 };
  const alone = keyOf({ sort: "hot", category: "saas", limit: 7 });
  assertEquals(keyOf(query, ["category"]), alone);
  assertNotEquals(keyOf(query, ["category", "tool"]), alone);
});
