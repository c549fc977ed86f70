import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { queryPairs, toQuery } from "@/lib/http/input.ts";

const part = fc.array(fc.constantFrom(..."ab1_.*-~+%=&;é —'\"<>|"), { maxLength: 5 })
  .map((characters) => characters.join(""));

Deno.test("queryPairs reads what URLSearchParams reads, whatever is in a query", () => {
  const query = fc.array(fc.oneof(part, fc.constantFrom("a=b", "a", "%61=%2", "offset=3")))
    .map((parts) => parts.join("&"));
  fc.assert(fc.property(query, (query) => {
    const url = new URL(`http://projectory.test/?${query}`);
    assertEquals(queryPairs(url), [...url.searchParams]);
  }));
});

Deno.test("toQuery writes what URLSearchParams writes, whatever is in names and values", () => {
  fc.assert(fc.property(fc.array(fc.tuple(part, part)), (pairs) => {
    assertEquals(toQuery(pairs), `${new URLSearchParams(pairs)}`);
  }));
});
