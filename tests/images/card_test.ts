import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { cardSvg, drawable, drawableSite } from "@/lib/images/card.ts";
import { ImageRenderer } from "@/lib/images/renderer.ts";
import { SITE_HEADING } from "@/lib/site/home.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

const card = { kicker: "k", title: "t", text: "x", footer: "f", accent: "#684CFF" };

Deno.test("cardSvg escapes hostile text, and ends long text with an ellipsis", () => {
  const svg = cardSvg({ ...card, title: `</text><script>"&'`, text: "word ".repeat(200) });
  assert(!svg.includes("<script"));
  assert(svg.includes("&lt;script&gt;"));
  assert(svg.includes("…</text>"));
  assertEquals(svg.match(/<text /g)!.length, 1 + 1 + 3 + 1);
});

Deno.test("no line of a card goes past its right edge, however wide its letters", () => {
  // Widths as a browser measures them in the card's typeface, in em.
  const widths = {
    W: 0.995,
    m: 0.85,
    H: 0.82,
    O: 0.78,
    E: 0.65,
    n: 0.59,
    e: 0.47,
    t: 0.36,
    i: 0.29,
  };
  for (const [letter, em] of Object.entries(widths)) {
    for (const length of [12, 40, 60, 120]) {
      const words = letter.repeat(length);
      const svg = cardSvg({ ...card, title: words, text: words, footer: words });
      const lines = [...svg.matchAll(/font-size="(\d+)"[^>]*>([^<]*)</g)];
      assert(lines.length >= 3, svg);
      for (const [, size, text] of lines) {
        assert(96 + Number(size) * em * text!.length <= 1106, `${text} at ${size}`);
      }
    }
  }
});

Deno.test("a title that fits in a smaller font size isn't cut", () => {
  const svg = cardSvg({ ...card, title: SITE_HEADING });
  assert(!svg.includes("…"), svg);
  assert(svg.includes('font-size="64"'));
  assert(cardSvg({ ...card, title: "Lighthouse for very small harbours" }).includes(`"84"`));
});

Deno.test("a card's lines don't overlap each other or the rule above its footer", () => {
  for (const title of ["Tide", "Lighthouse for very small harbours", "Long ".repeat(12)]) {
    for (const text of ["", "Turns, and is seen", "Turns, and is seen ".repeat(20)]) {
      const svg = cardSvg({ kicker: "Listed", title, text, footer: "a.b", accent: "#684CFF" });
      const rule = Number(/y="(\d+)" width="\d+" height="1"/.exec(svg)![1]);
      const lines = [...svg.matchAll(/y="([\d.]+)"[^>]* font-size="(\d+)"/g)]
        .map(([, y, size]) => ({ y: Number(y), size: Number(size) }));
      // Letters reach three quarters of their size above their line, and a quarter below it.
      lines.slice(1).forEach(({ y, size }, i) => {
        const above = lines[i]!;
        assert(y - size * 0.75 > above.y + above.size * 0.25, `${title}, ${text}: line ${i + 1}`);
      });
      const [foot, last] = lines.toReversed() as [typeof lines[0], typeof lines[0]];
      assert(
        last!.y + last!.size * 0.25 < rule && rule < foot!.y - foot!.size,
        `${title}, ${text}`,
      );
    }
  }
});

Deno.test("drawable keeps European, Vietnamese and Arabic letters, and drops unsupported characters", () => {
  for (
    const text of [
      "Inkwell",
      "Ünïcödé “quoted”…",
      "Łukasz Škoda İzmir",
      "Tiếng Việt",
      "Проект Їжак",
      "Έργο",
      "مشروع",
    ]
  ) assertEquals(drawable(text), text);
  for (
    const [text, shown] of [
      ["Ship it 🚀 now", "Ship it now"],
      ["A → B", "A B"],
      ["日本語 App", "App"],
      ["👩‍💻 Café", "Café"],
      ["Cafe\u0301", "Café"],
      ["日本語!", ""],
      ["a\u0000", "a"],
    ]
  ) assertEquals(drawable(text!), shown);
});

Deno.test("each letter that a card can draw has a distinct shape, and emoji draw nothing", async () => {
  const images = new ImageRenderer();
  const ink = async (title: string) => {
    const svg = cardSvg({ kicker: "", text: "", footer: "", title });
    return (await images.render(svg))!.toHex();
  };
  try {
    const nothing = await ink("");
    // Characters that no typeface has would all look the same: nothing, or an empty box.
    const pictures = new Set([nothing]);
    // Some typefaces build accented letters from two parts.
    const words = "Żółć, Çağrı, Dvořák, Tiếng Việt";
    assertEquals(drawable(words), words);
    const letters = ["Ł", "Š", "İ", "ğ", "ế", "Ж", "ї", "ө", "Ω", "ή", "ᾳ", "ش", "پ", "Q", "&"];
    for (const letter of letters) pictures.add(await ink(`l${letter}l`));
    assertEquals(pictures.size, letters.length + 1);
    assertEquals(await ink("l🚀l"), await ink("ll"));
  } finally {
    images.close();
  }
});

Deno.test("drawableSite names a host, decoded if the card has its letters, and the owner on a code host", () => {
  for (
    const [url, site] of [
      ["https://example.com/x", "example.com"],
      ["https://github.com/inkwell/pen", "github.com/inkwell"],
      ["https://bücher.example", "bücher.example"],
      ["https://пример.рф", "пример.рф"],
      ["https://例え.テスト", "xn--r8jz45g.xn--zckzah"],
    ]
  ) assertEquals(drawableSite(url!), site);
});

Deno.test("/p/<slug>/og.png is a 1200 by 630 PNG, with ETag and 304", async () => {
  await using app = await testApp();
  try {
    const { project } = await submit(app, { name: "日本語", tagline: "Plain words" });
    const path = `/p/${project.slug}/og.png`;
    assertEquals((await app.request("/p/nowhere/og.png")).status, 404);
    const response = await app.request(path);
    assertEquals([response.status, response.headers.get("content-type")], [200, "image/png"]);
    const bytes = await response.bytes();
    assertEquals([...bytes.slice(1, 4)], [0x50, 0x4e, 0x47]);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    assertEquals([view.getUint32(16), view.getUint32(20)], [1200, 630]);
    const again = await app.request(path, {
      headers: { "if-none-match": response.headers.get("etag")! },
    });
    assertEquals(again.status, 304);
    const page = await app.text(`/p/${project.slug}`);
    assert(page.includes(`property="og:image" content="http://projectory.test${path}"`));
  } finally {
    app.deps.images.close();
  }
});

Deno.test("every page has a preview picture: its own or the site's", async () => {
  await using app = await testApp();
  try {
    const own = `/p/${(await submit(app)).project.slug}`;
    for (
      const [path, picture] of [["/", "/og.png"], ["/poll", "/og.png"], [own, `${own}/og.png`]]
    ) {
      const html = await app.text(path!);
      const url = /property="og:image" content="([^"]+)"/.exec(html)![1]!;
      assertEquals(url, app.deps.urls.to(picture!));
      const told = [...html.matchAll(/property="og:image:(\w+)" content="([^"]+)"/g)];
      const shown = path === own ? /<title>([^<]+)/.exec(html)![1]! : "Projectory";
      assertEquals(told.map(([, name, value]) => [name, value]), [
        ["width", "1200"],
        ["height", "630"],
        ["alt", shown],
      ]);
      const { status, headers } = await app.request(picture!);
      assertEquals([status, headers.get("content-type")], [200, "image/png"]);
    }
  } finally {
    app.deps.images.close();
  }
});

Deno.test("a picture redirects to the site's icon while too many are waiting", async () => {
  await using app = await testApp();
  const { project } = await submit(app);
  app.deps.images.render = () => null;
  const response = await app.request(`/p/${project.slug}/og.png`);
  assertEquals(response.status, 302);
  assertEquals(response.headers.get("location"), "http://projectory.test/icon-512.png");
  assertEquals((await app.request("/icon-512.png")).status, 200);
});

Deno.test("/skills/<slug>/og.png names its author if the card has the letters", async () => {
  await using app = await testApp();
  const pictures: string[] = [];
  for (const [i, author] of [null, "漢字", "Ada"].entries()) {
    const { slug } = await share(app, { content: `The notes of number ${i}, read aloud`, author });
    const picture = await app.request(`/skills/${slug}/og.png`);
    pictures.push(new Uint8Array(await picture.arrayBuffer()).toHex());
  }
  app.deps.images.close();
  assertEquals(pictures[1], pictures[0]);
  assertNotEquals(pictures[2], pictures[0]);
});

Deno.test("a picture that can't be rendered redirects to the site's icon", async () => {
  const failing = { render: () => Promise.reject(new Error("no picture")), close() {} };
  await using app = await testApp();
  Object.assign(app.deps, { images: failing });
  const { status, headers } = await app.request("/og.png");
  assertEquals([status, headers.get("location")], [302, "http://projectory.test/icon-512.png"]);
});

Deno.test("/skills/<slug>/og.png names the skill's kind and has its color, as pages do", async () => {
  await using app = await testApp();
  const { slug } = await share(app, { kind: "agents-md", author: null });
  let drawn = "";
  app.deps.images.render = (svg) => {
    drawn = svg;
    return null;
  };
  await app.request(`/skills/${slug}/og.png`);
  assertEquals([drawn.includes(">AGENTS.md<"), drawn.includes("#3D6BFF")], [true, true]);
});
