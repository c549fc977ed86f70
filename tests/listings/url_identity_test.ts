import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { urlIdentity, urlKey } from "@/lib/listings/url_identity.ts";
import { webUrl } from "@/lib/text/web_url.ts";
import { assertQuick } from "../support/quick.ts";

const ALIASES = [
  "https://example.com/a?x=1&y=2",
  "http://example.com/a?x=1&y=2",
  "HTTPS://EXAMPLE.COM/a?x=1&y=2",
  "https:example.com/a?x=1&y=2",
  "https:/example.com/a?x=1&y=2",
  "https:\\\\example.com\\a?x=1&y=2",
  " https://example.com/a?x=1&y=2 ",
  "https://exam\tple.com/a?x=1&y=2",
  "https://example.com:443/a?x=1&y=2",
  "http://example.com:80/a?x=1&y=2",
  "https://example.com:/a?x=1&y=2",
  "https://example.com./a?x=1&y=2",
  "https://www.example.com/a?x=1&y=2",
  "https://WWW.Example.com./a?x=1&y=2",
  "https://www.www.example.com/a?x=1&y=2",
  "https://ex\u200Bample.com/a?x=1&y=2",
  "https://ex\u00ADample.com/a?x=1&y=2",
  "https://ｅｘａｍｐｌｅ.com/a?x=1&y=2",
  "https://example。com/a?x=1&y=2",
  "https://ex%61mple.com/a?x=1&y=2",
  "https://user:pass@example.com/a?x=1&y=2",
  "https://example.com/a/?x=1&y=2",
  "https://example.com/a//?x=1&y=2",
  "https://example.com/a/index.html?x=1&y=2",
  "https://example.com/a/index.html/?x=1&y=2",
  "https://example.com/./a?x=1&y=2",
  "https://example.com/b/../a?x=1&y=2",
  "https://example.com/b/%2e%2E/a?x=1&y=2",
  "https://example.com/%61?x=1&y=2",
  "https://example.com/a?x=1&y=2#top",
  "https://example.com/a?x=1&y=2#",
  "https://example.com/a?y=2&x=1",
  "https://example.com/a?&x=1&&y=2&",
  "https://example.com/a?x=%31&y=2",
  "https://example.com/a?%78=1&y=2",
  "https://example.com/a?utm_source=n&x=1&y=2",
  "https://example.com/a?x=1&UTM_Medium=n&y=2",
  "https://example.com/a?x=1&y=2&utm_anything=1&utm_id=2",
  "https://example.com/a?ref=projectory&x=1&y=2",
  "https://example.com/a?x=1&y=2&gclid=Cj0",
  "https://example.com/a?fbclid=1&x=1&y=2",
  "https://example.com/a?x=1&msclkid=1&y=2",
  "https://example.com/a?x=1&y=2&ref=a&ref=b",
  "https://example.com/a?mc_cid=1&mc_eid=2&x=1&y=2",
];

const DIFFERENT = [
  "https://example.com",
  "https://example.com/a",
  "https://example.com/A",
  "https://example.com/a/b",
  "https://example.com//a",
  "https://example.com/a%2Fb",
  "https://example.com/a.html",
  "https://example.com/a/index.htm",
  "https://example.com/index",
  "https://example.com/a?x=1",
  "https://example.com/a?x=2",
  "https://example.com/a?X=1",
  "https://example.com/a?x=1&x=2",
  "https://example.com/a?x=2&x=1",
  "https://example.com/a?refer=1",
  "https://example.com:8080/a",
  "https://blog.example.com/a",
  "https://example.org/a",
  "https://www.com",
  "https://xn--r8jz45g.jp/a",
  "https://8.8.8.8/a",
  "https://[2606:4700::1111]/a",
  "https://example.com/%25",
  "https://example.com/%2541",
];

Deno.test(`urlIdentity makes one identity of ${ALIASES.length} aliases`, () => {
  for (const alias of ALIASES) assertEquals(urlIdentity(alias), "example.com/a?x=1&y=2", alias);
});

Deno.test("urlIdentity ignores an IDN's spelling", () => {
  assertEquals(urlIdentity("https://MÜNCHEN.de/ü"), urlIdentity("http://xn--mnchen-3ya.de/%c3%bc"));
  assertEquals(urlIdentity("https://www.com/"), "www.com");
});

Deno.test("urlIdentity decodes each letter, digit and sign that needs no percent", () => {
  const encoded = "/%41%5a%61%7A%30%39%2D%2e%5f%7E";
  assertEquals(urlIdentity(`https://example.com${encoded}`), "example.com/AZaz09-._~");
});

Deno.test("urlIdentity is the same for an address as typed and as it is stored", () => {
  for (const typed of ["a|b", "a[0]", "a^b", "a{b}", "a`b", "100%", "?q=[a]|^`{}"]) {
    const url = `https://example.com/${typed}`;
    assertEquals(urlIdentity(webUrl().parse(url)), urlIdentity(url));
  }
  // A listing may have been stored as it was typed: its identity stays what it was.
  assertEquals(urlIdentity("https://example.com/a[0]|^"), "example.com/a[0]|^");
});

Deno.test("urlIdentity keeps different addresses apart", () => {
  const identities = DIFFERENT.map(urlIdentity);
  assertEquals(new Set(identities).size, DIFFERENT.length, identities.join("\n"));
  assertNotEquals(urlKey(DIFFERENT[0]!), urlKey(DIFFERENT[1]!));
});

Deno.test("urlIdentity is idempotent", () => {
  const path = fc.array(
    fc.constantFrom(
      "/",
      "a",
      "%",
      "%41",
      "%34",
      "%2541",
      "%zz",
      "index.html",
      ".",
      "..",
      "%2e",
      "é",
      "'",
      " ",
      "+",
    ),
    { maxLength: 10 },
  ).map((parts) => parts.join(""));
  const url = fc.tuple(
    fc.constantFrom(
      "https://example.com",
      "http://www.www.example.com:80",
      "https://[2606:4700::1]:8443",
      "http://www.com.",
    ),
    path,
    fc.oneof(
      fc.constant(""),
      fc.string().map((query) => `?${query}`),
      path.map((query) => `?a=${query}&utm_x=1`),
    ),
  ).map(([origin, path, query]) => `${origin}/${path}${query}`);
  fc.assert(
    fc.property(
      fc.oneof(url, fc.webUrl({ withQueryParameters: true, withFragments: true })),
      (url) => {
        const identity = urlIdentity(url);
        assertEquals(urlIdentity(`https://${identity}`), identity);
      },
    ),
    { numRuns: 10_000 },
  );
});

Deno.test("urlKey is 43 characters whatever the address expands to", () => {
  assertMatch(urlKey(`https://example.com/${"ж".repeat(490)}`), /^[A-Za-z0-9_-]{43}$/);
});

Deno.test("urlIdentity of a path of 20,000 slashes or percent signs takes less than 100 ms", () => {
  for (const unit of ["/", "%", "/index.html", "%41"]) {
    const url = `https://example.com/${unit.repeat(20_000 / unit.length)}x`;
    assertQuick(100, unit, () => urlIdentity(url));
  }
});
