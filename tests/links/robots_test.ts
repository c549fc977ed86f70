import { assertEquals } from "@std/assert";
import { isAllowed } from "@/lib/links/robots.ts";

/** Whether we may read a path. */
const may = (robots: string, path = "/a") => isAllowed(robots, { name: "test-fetcher", path });

Deno.test("groups for our name replace those for all crawlers, wherever they are", () => {
  const all = "User-agent: *\nDisallow: /\n";
  assertEquals(may(all), false);
  assertEquals(may(`${all}User-agent: test-fetcher\nAllow: /`), true);
  assertEquals(may(`${all}user-agent : Test-Fetcher/2.0 # we\nDisallow:`), true);
  assertEquals(may(`User-agent: other\nUser-agent: test-fetcher\n\nDisallow: /a\n${all}`), false);
  assertEquals(may("User-agent: other\nDisallow: /\nUser-agent: else\nDisallow: /"), true);
  assertEquals(
    may(`User-agent: test-fetcher\nDisallow: /b\n${all}User-agent: test-fetcher\r\nDisallow: /a`),
    false,
  );
  assertEquals(may("Disallow: /\n<html>:\n#User-agent: *\n\nno colon"), true);
  assertEquals(may(`\uFEFF${all}`), false);
});

Deno.test("the longest rule decides, and a tie allows", () => {
  for (
    const [rules, path, expected] of [
      ["Disallow: /a\nAllow: /a/b", "/a/b/c", true],
      ["Allow: /a/b\nDisallow: /a", "/a/c", false],
      ["Disallow: /a\nAllow: /a", "/a", true],
      ["Disallow: /*.pdf$", "/x.pdf", false],
      ["Disallow: /*.pdf$", "/x.pdf?a", true],
      ["Disallow: /a*b*c", "/a-b-c-d", false],
      ["Disallow: /a*b*c", "/a-c-b", true],
      ["Disallow: /ab*ba$", "/aba", true],
      ["Disallow: *?q=", "/a?q=1", false],
      ["Disallow: /a$", "/ab", true],
      ["Disallow: /é", "/%c3%a9", false],
      ["Disallow: /%2f", "/%2F", false],
      ["Disallow: /%2F", "//", true],
      ["Disallow: /%7Ejoe", "/~joe/", false],
      ["Disallow: /~joe", "/%7ejoe/", false],
      ["Disallow: /b/%62%61%7A", "/b/baz", false],
      ["Disallow: /*?f[", "/a?f[0]=1", false],
      ["Disallow: /*?f%5b", "/a?f[0]=1", false],
      ["Disallow: /100%", "/100%", false],
      ["Disallow: a", "/a", true],
    ] as const
  ) assertEquals(may(`User-agent: *\n${rules}`, path), expected, `${rules} ${path}`);
});

Deno.test("a robots.txt with many names and many rules doesn't fill memory", () => {
  const names = "User-agent: test-fetcher\n".repeat(20_000);
  assertEquals(may(names + "Disallow: /\n".repeat(40_000)), false);
  assertEquals(may(`User-agent: *\nDisallow: /${"*".repeat(500_000)}b`), true);
});

Deno.test("only the first 500 KiB of a robots.txt are read", () => {
  const rules = "User-agent: *\nDisallow: /\n";
  assertEquals(may("\n".repeat(500 * 1024 - rules.length) + rules), false);
  assertEquals(may("\n".repeat(500 * 1024) + rules), true);
});

Deno.test("a robots.txt whose 500 KiB end within a character is read", () => {
  const rules = "User-agent: *\nDisallow: /b\nAllow: /";
  const text = rules.padEnd(500 * 1024 - 1, "a") + "😀".repeat(2);
  assertEquals(may(text, "/a"), true);
  assertEquals(may(text, "/b"), false);
});
