import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { badgeSvg } from "@/lib/listings/badge.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";

Deno.test("GET /projects/{slug}/badge.svg shows 'Listed on <service name>' and the vote count, and no user text", async () => {
  await using app = await testApp({ env: { SITE_NAME: "Index & Co" } });
  const { project } = await submit(app, { name: "</text><script>alert(1)</script>" });
  const path = `/api/v1/projects/${project.slug}`;
  for (const userAgent of ["a", "b"]) {
    await app.json(`${path}/vote`, { method: "POST", userAgent });
  }
  const response = await app.request(`${path}/badge.svg`);
  assertEquals(response.status, 200);
  assertMatch(response.headers.get("content-type")!, /^image\/svg\+xml/);
  assertMatch(response.headers.get("cache-control")!, /max-age=60/);
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  const svg = await response.text();
  assert(svg.includes("Listed on Index &amp; Co"));
  assert(svg.includes("▲ 2<"));
  assert(!svg.includes("script"));
});

Deno.test("GET /projects/{slug}/badge.svg returns 404 with an SVG if the listing is missing", async () => {
  await using app = await testApp();
  const response = await app.request("/api/v1/projects/nowhere/badge.svg");
  // A listing that is waiting for review may appear any moment.
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.status, 404);
  assertMatch(response.headers.get("content-type")!, /^image\/svg\+xml/);
  assertMatch(await response.text(), /^<svg .*Not listed on Projectory: 404<.*<\/svg>$/s);
  assertEquals(response.headers.get("cross-origin-resource-policy"), "cross-origin");
  const again = await app.request("/api/v1/projects/nowhere/badge.svg", {
    headers: { "if-none-match": "*" },
  });
  assertEquals(again.status, 404);
});

Deno.test("a badge's width depends on its visible text, not on XML escapes", () => {
  const width = (siteName: string) => /width="(\d+)"/.exec(badgeSvg(siteName, 1))![1];
  assertEquals(width("Index & Co"), width("Index + Co"));
});

Deno.test("a badge's label has room for wide characters", () => {
  const room = (siteName: string) => Number(/<rect x="(\d+)"/.exec(badgeSvg(siteName, 1))![1]);
  // In px: the space around a label, and the width of "Listed on " and of each character.
  assert(room("日本語ディレクトリ") >= 14 + 55 + 9 * 11);
  assert(room("WWWWWWWWWW") >= 14 + 55 + 10 * 10.9);
  assertEquals(room("🚀"), room("日"));
});

Deno.test("a badge's label and count are centered in their halves", () => {
  const svg = badgeSvg("Projectory", 20);
  const [, left, right] = /<rect x="(\d+)" width="(\d+)"/.exec(svg)!.map(Number);
  assertStringIncludes(svg, 'text-anchor="middle"');
  const middles = [...svg.matchAll(/<text x="([\d.]+)"/g)].map(([, x]) => Number(x));
  assertEquals(middles, [left! / 2, left! + right! / 2]);
  assertStringIncludes(svg, `<svg xmlns="http://www.w3.org/2000/svg" width="${left! + right!}"`);
});
