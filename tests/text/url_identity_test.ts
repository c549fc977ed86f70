import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { urlIdentity, urlKey } from "@/lib/text/url_identity.ts";
import { webUrl } from "@/lib/text/web_url.ts";
import { assertQuick } from "../support/quick.ts";
import { rounds } from "../support/runs.ts";
import { anyUrl } from "../support/unicode.ts";

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
  "https://example.com/a?igsh=1&gad_campaignid=2&mc_tc=3&_hsfp=4&hsa_cam=5&mtm_campaign=6&x=1&y=2",
  "https://example.com/a/index.php?x=1&y=2",
  "https://example.com/a/index.htm/?x=1&y=2",
  "https://example.com/a?x=1&y=2#/",
  "https://example.com/a?x=1&y=2#!/",
];

/** The identity of something on a site with its own rules, then URLs of it. */
const ONE: string[][] = [
  [
    "github.com/denoland/deno",
    "https://github.com/denoland/deno",
    "http://www.GitHub.com/DenoLand/Deno.git",
    "https://github.com/denoland/deno/?tab=readme-ov-file#readme",
    "https://github.com/DENOLAND/deno?tab=MIT-1-ov-file",
  ],
  ["github.com/denoland", "https://github.com/DenoLand?tab=repositories"],
  ["gitlab.com/a/b/c", "https://gitlab.com/A/B/C.git", "https://gitlab.com/a/b/c/"],
  ["gitlab.com/a/b/-/tree/Main", "https://gitlab.com/A/B/-/tree/Main"],
  ["codeberg.org/forgejo/forgejo", "https://codeberg.org/Forgejo/forgejo.git"],
  [
    "youtube.com/watch?v=dQw4w9WgXcQ",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://m.youtube.com/watch?v=dQw4w9WgXcQ&feature=share",
    "https://youtu.be/dQw4w9WgXcQ?si=abcdef&t=42",
    "https://www.youtube.com/watch?t=42s&v=dQw4w9WgXcQ&list=PL1&index=3",
    "https://youtube.com/shorts/dQw4w9WgXcQ",
    "https://www.youtube.com/embed/dQw4w9WgXcQ?start=9",
    "https://www.youtube.com/live/dQw4w9WgXcQ",
  ],
  ["youtube.com/@Somebody", "https://m.youtube.com/@Somebody?si=abc"],
  [
    "play.google.com/store/apps/details?id=org.example.app",
    "https://play.google.com/store/apps/details?id=org.example.app&hl=de&gl=US",
    "https://play.google.com/store/apps/details?hl=en_US&id=org.example.app",
  ],
  [
    "apps.apple.com/app/id123456789",
    "https://apps.apple.com/us/app/some-name/id123456789?mt=8",
    "https://apps.apple.com/de/app/anderer-name/id123456789?platform=iphone&l=en",
    "https://itunes.apple.com/app/id123456789?mt=8",
  ],
  [
    "x.com/somebody",
    "https://twitter.com/SomeBody?s=20",
    "https://mobile.twitter.com/somebody?lang=en",
    "https://x.com/somebody/?s=21&t=AbC",
  ],
  ["x.com/somebody/status/1", "https://twitter.com/Somebody/status/1?s=46&t=x"],
  ["example.com#/shop", "https://example.com/#/shop/", "http://www.example.com#/shop"],
  ["example.com#!/shop", "https://example.com#!/shop"],
  ["example.com#!shop", "https://www.example.com/#!shop"],
];

const DIFFERENT = [
  "https://example.com",
  "https://example.com/a",
  "https://example.com/A",
  "https://example.com/a/b",
  "https://example.com//a",
  "https://example.com/a%2Fb",
  "https://example.com/a.html",
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
  "https://example.com/a#/one",
  "https://example.com/a#/two",
  "https://example.com/a#!/one",
  "https://example.com/a?si=1",
  "https://example.com/a?s=1",
  "https://example.com/a?t=1",
  "https://example.com/a.git",
  "https://example.com/Index.php",
  "https://github.com/a/b/blob/main/README.md",
  "https://github.com/a/b/blob/main/readme.md",
  "https://github.com/a/b.github.io",
  "https://github.com/a/b",
  "https://github.com:8443/a/b",
  "https://gist.github.com/a/b",
  "https://youtu.be/dQw4w9WgXcQ",
  "https://youtu.be/dQw4w9WgXcR",
  "https://youtu.be/dqw4w9wgxcq",
  "https://youtube.com/playlist?list=PL1",
  "https://youtube.com/playlist?list=PL2",
  "https://play.google.com/store/apps/details?id=a.b",
  "https://play.google.com/store/apps/details?id=a.B",
  "https://play.google.com/store/apps/dev?id=1",
  "https://apps.apple.com/app/id1",
  "https://apps.apple.com/app/id2",
  "https://apps.apple.com/us/developer/x/id1",
  "https://x.com/a/status/1",
  "https://x.com/a/status/2",
  "https://example.com/%25",
  "https://example.com/%2541",
];

Deno.test(`urlIdentity maps ${ALIASES.length} aliases to one identity`, () => {
  for (const alias of ALIASES) assertEquals(urlIdentity(alias), "example.com/a?x=1&y=2", alias);
});

for (const [identity, ...addresses] of ONE) {
  Deno.test(`urlIdentity maps ${addresses.length} URLs to ${identity}`, () => {
    for (const address of addresses) assertEquals(urlIdentity(address), identity, address);
    assertEquals(urlIdentity(`https://${identity}`), identity);
  });
}

Deno.test("urlIdentity ignores an IDN's spelling", () => {
  assertEquals(urlIdentity("https://MÜNCHEN.de/ü"), urlIdentity("http://xn--mnchen-3ya.de/%c3%bc"));
  assertEquals(urlIdentity("https://www.com/"), "www.com");
});

Deno.test("urlIdentity decodes characters that don't need percent-encoding", () => {
  const encoded = "/%41%5a%61%7A%30%39%2D%2e%5f%7E";
  assertEquals(urlIdentity(`https://example.com${encoded}`), "example.com/AZaz09-._~");
});

Deno.test("urlIdentity is the same for a URL as typed and as stored", () => {
  for (const typed of ["a|b", "a[0]", "a^b", "a{b}", "a`b", "100%", "?q=[a]|^`{}"]) {
    const url = `https://example.com/${typed}`;
    assertEquals(urlIdentity(webUrl().parse(url)), urlIdentity(url));
  }
  // A listing may have been stored as typed: its identity must stay the same.
  assertEquals(urlIdentity("https://example.com/a[0]|^"), "example.com/a[0]|^");
});

Deno.test("urlIdentity keeps different URLs apart", () => {
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
      "index.php",
      "A.git",
      "-",
      "app",
      "id12",
      "watch",
      "#!",
      "#",
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
      "https://github.com",
      "https://gitlab.com",
      "https://m.youtube.com",
      "https://youtu.be",
      "https://apps.apple.com",
      "https://mobile.twitter.com",
    ),
    path,
    fc.oneof(
      fc.constant(""),
      fc.string().map((query) => `?${query}`),
      path.map((query) => `?a=${query}&utm_x=1`),
      path.map((route) => `#/${route}`),
    ),
  ).map(([origin, path, query]) => `${origin}/${path}${query}`);
  fc.assert(
    fc.property(
      fc.oneof(url, anyUrl),
      (url) => {
        const identity = urlIdentity(url);
        assertEquals(urlIdentity(`https://${identity}`), identity);
      },
    ),
    { numRuns: rounds(2_000, 10_000) },
  );
});

Deno.test("urlKey has 43 characters, however long the URL", () => {
  assertMatch(urlKey(`https://example.com/${"ж".repeat(490)}`), /^[A-Za-z0-9_-]{43}$/);
});

Deno.test("urlIdentity takes less than 100 ms on a path of 20,000 slashes or percent signs", () => {
  for (const unit of ["/", "%", "/index.html", "%41"]) {
    const url = `https://example.com/${unit.repeat(20_000 / unit.length)}x`;
    assertQuick(100, unit, () => urlIdentity(url));
  }
});
