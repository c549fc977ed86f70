import { assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { PAGE_PATHS } from "@/lib/urls.ts";
import { sitePages } from "../e2e/pages.ts";
import type { LivelySite } from "../support/lively.ts";

/** Pages with a fixed URL that are a form or a result, not something to read or find. */
const NO_TWIN = ["/report", "/checkout/pay", "/unsubscribe"];
/**
 * Pages linked only from an order or an email: `tests/e2e/visits_test.ts` and
 * `tests/notices/unsubscribe_test.ts` show them.
 */
const OF_LINKS = ["/checkout/pay", "/unsubscribe"];

/** The paths of all page routes, such as `/p/[slug]/edit`. */
const routes = readdirSync(new URL("../../routes", import.meta.url), {
  encoding: "utf8",
  recursive: true,
})
  .filter((file) => /(^|\/)[^_/][^/]*\.tsx$/.test(file))
  .map((file) => {
    const parts = file.replace(/\.tsx$/, "").split("/");
    return `/${parts.filter((part) => !part.startsWith("(") && part !== "index").join("/")}`;
  })
  .sort();

Deno.test("each page with a fixed URL has a Markdown twin and a sitemap entry, or is listed as an exception", () => {
  const fixed = routes.filter((route) => !route.includes("["));
  assertEquals(fixed, [...PAGE_PATHS, ...NO_TWIN].sort());
});

Deno.test("the browser tests cover each kind of page", () => {
  const named = new Proxy({}, { get: (_, name) => String(name) }) as LivelySite["named"];
  const paths = sitePages({ named }).map((path) => path.replace(/\?.*/, ""));
  const unseen = routes.filter((route) => {
    const pattern = new RegExp(`^${route.replace(/\[\w+\]/g, "[^/]+")}$`);
    return !paths.some((path) => pattern.test(path));
  });
  assertEquals(unseen, OF_LINKS);
});
