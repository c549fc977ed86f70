import { assertEquals } from "@std/assert";
import type { z } from "zod";
import { BidInput } from "@/lib/auctions/schema.ts";
import { firstWords } from "@/lib/fields.ts";
import { LIMITS } from "@/lib/limits.ts";
import { params } from "@/lib/mcp/params.ts";
import { ReportInput } from "@/lib/operator/reports.ts";
import { PortalInput } from "@/lib/promotions/schema.ts";
import { PromoteInput } from "@/lib/promotions/schema.ts";

const NAMES_AN_ENTRY: [name: string, schema: z.ZodType][] = [
  ["promotion", PromoteInput.shape.slug],
  ["bid", BidInput.shape.slug],
  ["billing portal", PortalInput.shape.slug],
  ["report", ReportInput.shape.slug],
  ["MCP, project", params.projectSlug],
  ["MCP, skill", params.skillSlug],
];

for (const [name, schema] of NAMES_AN_ENTRY) {
  Deno.test(`${name}: a slug that is too long is cut, so it matches no entry`, () => {
    const lengths = [0, 1, LIMITS.slugMax, LIMITS.slugMax + 1, 60_000];
    const read = lengths.map((length) => schema.safeParse("x".repeat(length)).data);
    const longer = LIMITS.slugMax + 1;
    assertEquals(read.map((slug) => (slug as string | null)?.length ?? 0), [
      0,
      1,
      LIMITS.slugMax,
      longer,
      longer,
    ]);
  });
}

Deno.test("firstWords cuts a long text after the last word that fits, and splits no character", () => {
  const fitting = `${"the ".repeat(23)}webpack!`;
  assertEquals(fitting.length, LIMITS.queryMax);
  assertEquals(firstWords(`${fitting} x`), fitting);
  assertEquals(firstWords(`${fitting}x`), "the ".repeat(23).trim());
  assertEquals(firstWords(`a${"🚀".repeat(200)}`), `a${"🚀".repeat(LIMITS.queryMax - 1)}`);
});
