import { assert, assertEquals } from "@std/assert";
import { isElement } from "@/lib/markdown/html_tree.ts";
import { hasTwin } from "@/lib/urls.ts";
import {
  closest,
  type Element,
  elementsIn,
  headOf,
  heard,
  isUnheard,
  outlineOf,
} from "../support/dom.ts";
import { AUCTION_ID, paidApp } from "../support/payments.ts";
import { assertRecorded } from "../support/recorded.ts";
import { MARK, showAll, showEmpty, type Shown } from "../support/shown.ts";

const app = await paidApp();
const empty = await paidApp();
const pages = [...await showAll(app), ...await showEmpty(empty)];
Deno.test.afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await empty[Symbol.asyncDispose]();
});

/** Everything that is wrong on the pages, as `path: what`. */
function faults(find: (page: Shown) => string[]): string[] {
  return pages.flatMap((page) => find(page).map((fault) => `${page.path}: ${fault}`));
}

const isHead = (node: unknown) => (node as Element | null)?.name === "head";

const tagOf = ({ name, attribs }: Element) =>
  `<${[name, ...Object.entries(attribs).map(([key, value]) => `${key}="${value}"`)].join(" ")}>`;

Deno.test("every page has a language, a theme, a title, one main part with one heading, one search at most, and a skip link", () => {
  assertEquals(
    faults(({ path, dom }) => {
      const mains = dom.all("main");
      const headings = dom.all("h1").filter((h1) => closest(h1, ({ name }) => name === "main"));
      const [first] = dom.all("a");
      return [
        dom.all("html")[0]?.attribs.lang !== "en" && "has no language",
        dom.all("html")[0]?.attribs["data-theme"] !== "daily" && "has no theme",
        mains.map(({ attribs }) => attribs.id).join() !== "main" &&
        "doesn't have exactly one main part",
        (headings.length !== 1 || heard(headings[0]) === "") && "doesn't have exactly one heading",
        (first?.attribs.href !== "#main" || heard(first) === "") && "has no skip link",
        dom.all("meta")[0]?.attribs.charset !== "utf-8" && "does not begin with its encoding",
        !dom.all("meta").some(({ attribs }) =>
          attribs.name === "viewport" && attribs.content === "width=device-width, initial-scale=1"
        ) && "has no viewport",
        dom.all("title").filter(({ parent }) => isHead(parent)).map(heard).join() === "" &&
        "has no title",
        // What can't be found can be searched for right there, too.
        path !== "/nothing" &&
        dom.all("form").filter(({ attribs }) => attribs.role === "search").length > 1 &&
        "has two searches",
      ].filter((fault) => fault !== false);
    }),
    [],
  );
});

/** Markdown written by a user. */
const isStrangers = ({ attribs }: Element) => attribs.class === "markdown";
const NAMES = ["aria-label", "aria-labelledby"];

Deno.test("no page text is escaped twice", () => {
  assertEquals(faults(({ html }) => html.match(/.{30}&amp;(amp|quot|lt|gt|#\d+);/g) ?? []), []);
});

Deno.test("every part, table, field, button and link has a name, and every referenced id exists once", () => {
  const NAMED = ["section", "nav", "aside", "button", "a", "select", "textarea", "summary", "th"];
  assertEquals(
    faults(({ dom }) => {
      const ids = dom.all().map(({ attribs }) => attribs.id).filter((id) => id !== undefined);
      const named = dom.all().flatMap(({ attribs }) => [
        ...["aria-labelledby", "aria-describedby"].flatMap((key) => attribs[key]?.split(" ") ?? []),
        ...[attribs.for ?? []].flat(),
        ...[/^#(.+)/.exec(attribs.href ?? "")?.[1] ?? []].flat(),
      ]);
      const needName = dom.all().filter((element) => !isUnheard(element)).filter((
        { name, attribs },
      ) =>
        NAMED.includes(name) || name === "input" && attribs.type !== "hidden" ||
        ["region", "img"].includes(attribs.role ?? "")
      );
      const labeled = (element: Element) =>
        ["section", "nav", "aside"].includes(element.name) || "role" in element.attribs
          ? NAMES.some((key) => key in element.attribs)
          : true;
      return [
        ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `#${id} is there twice`),
        ...named.filter((id) => !ids.includes(id)).map((id) => `#${id} is not there`),
        ...dom.all("th").filter(({ attribs }) => !/^(row|col)$/.test(attribs.scope ?? ""))
          .filter((th) => closest(th, isStrangers) === null).map((th) =>
            `${tagOf(th)} heads nothing`
          ),
        ...needName.filter((element) => dom.nameOf(element) === "" || !labeled(element))
          .map((element) => `${tagOf(element)} has no name`),
      ];
    }),
    [],
  );
});

Deno.test("tables have a cell for each column, and what scrolls sideways can be reached by keyboard", () => {
  assertEquals(
    faults(({ dom }) => {
      const cellsOf = (row: Element) => row.children.filter(isElement).length;
      const uneven = dom.all("table").filter((table) => {
        const [head, ...rows] = elementsIn(table.children).filter(({ name }) => name === "tr");
        return rows.some((row) => cellsOf(row) !== cellsOf(head!));
      });
      const isReached = ({ attribs }: Element) => attribs.tabindex === "0";
      const unreached = dom.all("table", "pre").filter((wide) => closest(wide, isReached) === null);
      return [
        ...uneven.map((table) => `${tagOf(table)} is uneven`),
        ...unreached.map((wide) => `${tagOf(wide)} is out of reach`),
      ];
    }),
    [],
  );
});

Deno.test("in a page's main part, only tabs and list links are marked as current", () => {
  const isTab = ({ attribs }: Element) => /\b(tabs|leaders)\b/.test(attribs.class ?? "");
  const isMain = ({ name }: Element) => name === "main";
  assertEquals(
    faults(({ dom }) =>
      dom.all("a").filter(({ attribs }) => (attribs["aria-current"] ?? "false") !== "false")
        .filter((link) => closest(link, isMain) && !closest(link, isTab)).map(tagOf)
    ),
    [],
  );
});

Deno.test("the enhancement script is only on pages with copy buttons, countdowns, votes or forms", () => {
  const isHelped = ({ attribs }: Element) =>
    ["data-copy", "data-until", "data-once"].some((name) => name in attribs) ||
    attribs.class === "vote";
  const isScript = ({ attribs }: Element) =>
    attribs.type === "module" && attribs.src!.startsWith("/enhance.js?");
  const has = pages.map(({ path, dom }) => [
    path,
    dom.all().some(isHelped),
    dom.all("script").some(isScript),
  ]);
  assertEquals(has.filter(([, helped, script]) => helped !== script), []);
  assert(has.some(([path]) => path === `/auctions/${AUCTION_ID}`));
});

Deno.test("a page's metadata matches the page, or the page is noindex", () => {
  const base = app.deps.urls.base;
  assertEquals(
    faults(({ path, status, isAnswer, dom }) => {
      const meta = (key: string) =>
        dom.all("meta").find(({ attribs }) => (attribs.property ?? attribs.name) === key)?.attribs
          .content;
      const canonical = dom.all("link").find(({ attribs }) => attribs.rel === "canonical");
      const title = heard(dom.all("title")[0]);
      const { pathname, search } = new URL(path, base);
      const isKept = status === 200 && hasTwin(pathname) && !/[?&](q|offset)=/.test(search) &&
        !/\/(edit|report|billing)$/.test(pathname);
      if (isAnswer) return [];
      const image = meta("og:image");
      const own = status === 200 && /^\/(p|skills)\/(?!submit)[^/]+$/.test(pathname);
      return [
        (meta("robots") === "noindex") === isKept &&
        "is indexed but shouldn't be, or the other way around",
        (canonical?.attribs.href === base + pathname + cleanQuery(search)) !==
          isKept && `is called ${canonical?.attribs.href}`,
        isKept && meta("og:url") !== canonical?.attribs.href && "has another address in previews",
        meta("og:title") !== title && "has another title in previews",
        isKept && !meta("description") && "has no description",
        meta("description") !== meta("og:description") && "has another description in previews",
        image !== base + (own ? pathname : "") + "/og.png" && `has picture ${image}`,
        meta("og:image:alt") !== (own ? title : "Projectory") && "has another picture",
        meta("twitter:card") !== "summary_large_image" && "has no card",
      ].filter((fault) => fault !== false);
    }),
    [],
  );
});

/** A URL's query without parameters that only page a list or select a group. */
const cleanQuery = (search: string) => search.replace(/[?&](limit|group)=\w+/, "");

Deno.test("the structured data describes its page and has no empty values", () => {
  const facts = pages.flatMap(({ path, dom }) => {
    const isFacts = ({ attribs }: Element) => attribs.type === "application/ld+json";
    return dom.all("script").filter(isFacts).map((script): [string, Record<string, unknown>] => {
      const [text] = script.children;
      return [path, JSON.parse(text?.type === "text" ? text.data : "")];
    });
  });
  const base = app.deps.urls.base;
  for (const [path, fact] of facts) {
    assertEquals([fact["@context"], fact.url], ["https://schema.org", base + path]);
    assert(!/null|undefined/.test(JSON.stringify(fact)), path);
  }
  const of = (path: string) => facts.find(([of]) => of === path)![1];
  assertEquals(of("/skills/pen-care-xylo").license, "https://spdx.org/licenses/MIT.html");
  assertEquals(of("/p/plain").mainEntity, {
    "@type": "Thing",
    "name": "Plain",
    "description": "Stands plainly",
    "url": "https://plain.example.net",
  });
});

Deno.test("user text has an automatic text direction on every page", () => {
  const written: string[] = [];
  const seen = new Set<string>();
  for (const { path, dom } of pages) {
    for (const element of dom.all()) {
      const own = element.children.some((node) => node.type === "text" && node.data.includes(MARK));
      if (!own || closest(element, ({ name }) => name === "head" || name === "script")) continue;
      seen.add(path);
      if (!closest(element, ({ attribs }) => "dir" in attribs)) {
        written.push(`${path}: ${tagOf(element)}`);
      }
    }
  }
  assertEquals(written, []);
  assert(seen.size > 15, [...seen].join());
});

Deno.test("links from users have nofollow, noopener, and ugc or sponsored", () => {
  let links = 0;
  assertEquals(
    faults(({ dom }) =>
      dom.all("a").filter(({ attribs }) => /example\.net|^\/go\//.test(attribs.href ?? "")).flatMap(
        (link) => {
          links++;
          const rel = link.attribs.rel?.split(" ") ?? [];
          const isFree = !rel.includes("nofollow") || !rel.includes("noopener") ||
            !rel.includes("ugc") && !rel.includes("sponsored");
          return isFree ? [tagOf(link)] : [];
        },
      )
    ),
    [],
  );
  assert(links > 10, `${links} links`);
});

Deno.test("forms post to the page that they are on, where the response shows what to correct", () => {
  const forms = pages.flatMap(({ path, dom }) =>
    dom.all("form").filter(({ attribs }) => attribs.class === "form").map((form) => ({
      path,
      form,
    }))
  );
  assertEquals(
    forms.filter(({ path, form: { attribs } }) =>
      attribs.method !== "post" || attribs.action !== path.split("?")[0]
    ).map(({ path, form }) => `${path}: ${tagOf(form)}`),
    [],
  );
  assert(forms.length > 20, `${forms.length} forms`);
});

/** Pages whose links and headings are data or the same as on another page. */
const OUTLINED_ELSEWHERE =
  /^\/(api|help|agents|categories|tools|p\/inkwell-1-xylo|t\/claude|skills|auctions\/.*-09|projects)$/;

/** The file records them, so that changes to pages can be reviewed as a diff. */
Deno.test("the pages match the headings, links, buttons and fields in outlines.txt", async () => {
  const [home] = pages.filter(({ path }) => path === "/");
  const around = home!.dom.all("header", "footer").filter(({ attribs }) =>
    /^site/.test(attribs.class!)
  );
  const heads = pages.map(({ dom }) => new Set(headOf(dom)));
  const isCommon = (line: string) => heads.every((head) => head.has(line));
  const parts = [
    [
      "@ around every page",
      ...headOf(home!.dom).filter(isCommon),
      ...around.flatMap((part) => outlineOf(home!.dom, part)),
    ],
    ...pages.filter(({ path, when, isAnswer, status }) =>
      (when !== "" || !OUTLINED_ELSEWHERE.test(path)) && (!isAnswer || status < 400)
    ).map((page) => {
      const { path, when, isAnswer, status, cacheControl, html, dom } = page;
      const name = ["@", when, isAnswer ? "the response to" : "", path].filter(Boolean).join(" ");
      const traits = [status, cacheControl, html.includes("frsh:island:Theme") && "live"];
      const head = headOf(dom).filter((line) =>
        !isCommon(line) && !/^(og:|theme-color|twitter|canonical)/.test(line)
      );
      return [
        `${name}: ${traits.filter(Boolean).join(", ")}`,
        head.join(" | "),
        ...outlineOf(dom, dom.all("main")[0]!, { isWhole: /checkout|billing/.test(path) }),
      ];
    }),
  ];
  // Orders get new ids each time, and so do their objects at Stripe.
  const actual = parts.map((lines) => `${lines.join("\n")}\n`).join("")
    .replace(/\b(ord|bid)_\w{20}\b|(https:\/\/\w+\.stripe\.com\/)\S+/g, "$1$2…");
  await assertRecorded(actual, {
    file: new URL("outlines.txt", import.meta.url),
    write: Deno.env.get("OUTLINES") === "write",
    update: "OUTLINES=write deno test -A --no-check tests/site/structure_test.ts",
  });
});
