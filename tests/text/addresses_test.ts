import { assertEquals } from "@std/assert";
import { siteOf } from "@/lib/text/addresses.ts";

Deno.test("siteOf returns the host, plus the owner and name of a project on a code host", () => {
  const table: [url: string, site: string][] = [
    ["https://www.inkwell.dev/docs", "inkwell.dev"],
    ["https://github.com/", "github.com"],
    ["https://github.com/orgs/acme", "github.com"],
    [`https://github.com/${"q".repeat(400)}`, "github.com"],
    ["https://github.com/A%20%E2%80%AEx/y", "github.com"],
    ["https://gitlab.com/-/profile", "gitlab.com"],
    ["https://github.com/automerge/automerge", "github.com/automerge"],
    ["https://codeberg.org/forgejo", "codeberg.org/forgejo"],
  ];
  for (const [url, site] of table) assertEquals(siteOf(url), site, url);
});
