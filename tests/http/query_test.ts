import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { cutQuery, queryPairs } from "@/lib/http/input.ts";

const part = fc.array(fc.constantFrom(..."ab1_.*-~+%=&?;é —'\"<>|"), { maxLength: 5 })
  .map((characters) => characters.join(""));

const anyQuery = fc.array(
  fc.oneof(part, fc.constantFrom("a=b", "a", "%61=%2", "ab=b", "offset=3", "?a=b", "a=+", "+=a")),
)
  .map((parts) => new URL(`http://projectory.test/?${parts.join("&")}`));

Deno.test("queryPairs matches URLSearchParams for any query", () => {
  fc.assert(
    fc.property(anyQuery, (url) => {
      assertEquals(queryPairs(url), [...url.searchParams]);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("cutQuery serializes the kept names like URLSearchParams for any query", () => {
  const isKept = (name: string) => !["offset", "b"].includes(name) && name.length < 4;
  fc.assert(
    fc.property(anyQuery, (url) => {
      const kept = [...url.searchParams].filter(([name]) => isKept(name));
      assertEquals(cutQuery(url, isKept), `${new URLSearchParams(kept)}`);
    }),
    { numRuns: 2_000 },
  );
});
