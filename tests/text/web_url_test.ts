import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { domainToASCII } from "node:url";
import { displayHost, webUrl } from "@/lib/text/web_url.ts";
import { schemaValidator } from "../support/json_schema.ts";
import { rounds } from "../support/runs.ts";
import { anyUrl } from "../support/unicode.ts";

const schema = webUrl();
const isUri = schemaValidator().compile({ type: "string", format: "uri" });

function problem(url: unknown): string | undefined {
  return schema.safeParse(url).error?.issues[0]?.message;
}

Deno.test("webUrl doesn't change a valid URL", () => {
  for (
    const url of [
      "https://example.com",
      "https://example.com/",
      "http://example.com/a/b?c=d&e#f",
      "https://sub.example.co.uk:8443/x",
      "https://gov.uk",
      "https://user.github.io/x",
      "http://8.8.8.8/",
      "http://[2606:4700::1111]:8080/x",
      "https://xn--r8jz45g.jp/",
      "https://app.test/x",
      "https://app.example",
      "https://app.invalid/",
    ]
  ) assertEquals(schema.parse(url), url);
});

Deno.test("webUrl lowercases and punycodes the host, trims, and drops invisible characters", () => {
  assertEquals(schema.parse(" HTTPS://Example.COM/A "), "https://example.com/A");
  assertEquals(schema.parse("https://8.8.8.8.Example.com/"), "https://8.8.8.8.example.com/");
  assertEquals(schema.parse("https://例え.jp/パス"), "https://xn--r8jz45g.jp/%E3%83%91%E3%82%B9");
  assertEquals(schema.parse("https://ex\u200Bample.com/"), "https://example.com/");
});

const REFUSED: Record<string, string[]> = {
  "URL must be a full http or https URL, such as https://example.com": [
    "",
    "example.com",
    "//example.com",
    "/path",
    "https:example.com",
    "https:///example.com",
    "ftp://example.com",
    "ftp://example.com/https://example.com",
    "not a URL",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://",
    "https:\\\\example.com",
    "https://[::1",
    "https://exa<mple.com",
    "https://example.com:99999",
    "https://example.com:0",
  ],
  "URL must not contain spaces, control characters or backslashes": [
    "https://example.com/a b",
    "https://exam\tple.com",
    "https://example.com/\r\nSet-Cookie:x",
    "https://example.com/\x00",
    "https://example.com/\x7F",
    "https://example.com/\x9F",
    "https://example.com\\@evil.com",
  ],
  "URL must not contain a user name or password": [
    "https://user:pass@example.com",
    "https://user@example.com",
    "https://:pass@example.com",
    "https://user@example.com?q#f",
    "https://@example.com",
    "https://example.com@evil.com",
  ],
  "URL must have a public host name, such as example.com": [
    "https://example.com..",
    "https://example..com",
    "https://.com",
    "https://.example.com",
    "http://localhost",
    "http://localhost./",
    "http://app.localhost",
    "http://intranet/",
    "https://printer.local",
    "https://db.internal",
    "https://test",
    "https://abc.onion",
    "https://home.arpa",
    "https://1.0.0.127.in-addr.arpa",
    "https://com",
    "https://router.lan",
    "https://a..com",
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0177.0.0.1",
    "http://134744072",
    "http://0x08.8.8.8",
    "http://010.8.8.8",
    "http://８.８.８.８",
    "http://0.0.0.0",
    "http://10.1.2.3",
    "http://172.16.0.1",
    "http://192.168.1.1",
    "http://169.254.169.254",
    "http://100.64.0.1",
    "http://192.0.2.1",
    "http://198.18.0.1",
    "http://224.0.0.1",
    "http://255.255.255.255",
    "http://[::]",
    "http://[::1]",
    "http://[fe80::1]",
    "http://[fc00::1]",
    "http://[ff02::1]",
    "http://[2001:db8::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[64:ff9b::7f00:1]",
    "http://[2002:7f00:1::]",
  ],
  "URL must not contain an invalid character": ["https://example.com/\uD800"],
};

for (const [message, urls] of Object.entries(REFUSED)) {
  Deno.test(`webUrl rejects with "${message}"`, () => {
    for (const url of urls) assertEquals(problem(url), message, String(url));
  });
}

Deno.test("webUrl limits the URL's length as typed and as encoded", () => {
  const at = (path: string) => `https://example.com/${path}`;
  assertEquals(problem(at("a".repeat(480))), undefined);
  assertEquals(problem(at("a".repeat(481))), "URL must have at most 500 characters");
  assertEquals(
    problem(at("ж".repeat(100))),
    "URL must have at most 500 characters once encoded",
  );
  assertEquals(problem("h".repeat(1_000_000)), "URL must have at most 500 characters");
});

Deno.test("webUrl encodes characters that browsers accept but RFC 3986 doesn't allow", () => {
  const table: [string, string][] = [
    ["https://example.com/a[0]?b[]=`c`", "https://example.com/a%5B0%5D?b%5B%5D=%60c%60"],
    ["https://example.com/?f={a|b}^", "https://example.com/?f=%7Ba%7Cb%7D%5E"],
    ["https://example.com/#a[b]#c|d", "https://example.com/#a%5Bb%5D%23c%7Cd"],
    ["https://example.com/100%?5%#%zz", "https://example.com/100%25?5%25#%25zz"],
    ["https://[2606:4700::1111]/[x]", "https://[2606:4700::1111]/%5Bx%5D"],
    ["https://example.com/a'b(c)*!$&+,;=:@~?/?#/?", "https://example.com/a'b(c)*!$&+,;=:@~?/?#/?"],
  ];
  for (const [typed, href] of table) assertEquals(schema.parse(typed), href);
});

Deno.test("webUrl returns a URI that webUrl doesn't change", () => {
  const address = fc.tuple(
    anyUrl,
    fc.string({ unit: fc.constantFrom(..."/?#%2a[]{}|^`\"<>'()~é💡") }),
  ).map((parts) => parts.join(""));
  fc.assert(
    fc.property(address, (url) => {
      const first = schema.safeParse(url);
      if (!first.success) return;
      assertEquals(schema.parse(first.data), first.data);
      assert(isUri(first.data), first.data);
    }),
    { numRuns: rounds(1_000, 3_000) },
  );
});

Deno.test("displayHost shows a host in Unicode if each label is in one script", () => {
  for (
    const host of [
      "example.com",
      "münchen-2.de",
      "x\u0302.com", // a mark that no letter is joined with
      "例え.jp",
      "佐々木コーヒー-2.jp",
      "漢字한글-2.kr",
      "مثال.com",
      "օրինակ.am",
      "উদাহরণ.com",
      "उदाहरण.com",
      "მაგალითი.ge",
      "ઉદાહરણ.com",
      "דוגמה.com",
      "உதாரணம்.com",
      "ตัวอย่าง.com",
      "пример-2.рф",
      "παράδειγμα-2.ελ",
    ]
  ) assertEquals(displayHost(domainToASCII(host)), host);
});

Deno.test("displayHost keeps look-alikes as xn--", () => {
  for (
    const host of [
      "аррӏе.com", // Cyrillic alone under a Latin ending
      "παράδειγμα.com",
      // One Cyrillic or Greek letter before or after others.
      ...["а", "ο"].flatMap((letter) =>
        ["apple.com", "例え.jp", "한글.kr", "उदाहरण.com"].flatMap((other) => [
          letter + other,
          other.replace(".", `${letter}.`),
        ])
      ),
      "aпример.рф",
      "примерa.рф",
      "aπαράδειγμα.ελ",
      "παράδειγμαa.ελ",
    ]
  ) {
    const ascii = domainToASCII(host);
    assertMatch(ascii, /^xn--/, host);
    assertEquals(displayHost(ascii), ascii, host);
  }
});

Deno.test("webUrl reports each problem of a URL", () => {
  const problems = (url: string) =>
    schema.safeParse(url).error!.issues.map(({ message }) => message.replace("URL ", ""));
  const tooLong = "must have at most 500 characters";
  const login = "must not contain a user name or password";
  const host = "must have a public host name, such as example.com";
  assertEquals(problems(`https://u:p@localhost/${"a".repeat(600)}`), [tooLong, login, host]);
  assertEquals(problems("https://u:p@8.8.8.8/"), [login]);
  assertEquals(problems(`https://${"a".repeat(600)}`).length, 2);
});
