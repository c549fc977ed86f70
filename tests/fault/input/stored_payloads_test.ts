import { assert, assertEquals } from "@std/assert";
import { crawlSite, type CrawlTargets } from "../../support/crawl.ts";
import { submit } from "../../support/listings.ts";
import { rpc } from "../../support/mcp.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../../support/payments.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";
import { share } from "../../support/skills.ts";
import { pick } from "../from_schema.ts";
import { type HostileKind, hostileStrings } from "../hostile.ts";
import { excess, type Shape, shapeOf } from "./shape.ts";

const KINDS: HostileKind[] = ["html", "markdown", "xml", "bidi"];

/** Characters that reverse, hide or smuggle text. */
const DISGUISE = /[\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E01EF}]/u;

/**
 * What user text must not add to a page: anything that runs, loads, frames, asks for input or moves
 * the page.
 */
const ACTIVE =
  /<(script|style|iframe|object|embed|svg|img|h1|title|form|input|button|base|meta|link|!)\b|<\S+ (on\w+|style|srcdoc)>|link (?!https?:)/;

/** A directory of stored texts, all of its output, and where it appears. */
interface World {
  /** Which fields accepted a text unchanged, by kind. */
  taken: Map<string, number>;
  slugs: string[];
  outputs: Map<string, { type: string; text: string; shape: Shape }>;
}

const random = seededRandom(runSeed("stored payloads"));
const strings = hostileStrings("zq9");

/** All of a kind in one directory; in the test run, two random ones of each kind. */
const DIRECTORIES: [string, string[]][] = rounds(0, 1) === 1
  ? KINDS.map((kind) => [kind, strings[kind]])
  : [[
    "mixed",
    KINDS.flatMap((kind) => [pick(random, strings[kind]), pick(random, strings[kind])]),
  ]];

for (const [kind, payloads] of DIRECTORIES) {
  Deno.test(`stored ${kind} payloads add no element, attribute, heading or link to any output`, async () => {
    const hostile = await world(payloads, (text) => text);
    const harmless = await world(payloads, withoutMarks);
    assertEquals(hostile.slugs, harmless.slugs, "the two directories must have the same addresses");
    for (const field of ["name", "tagline", "description", "title", "summary", "installHint"]) {
      assertEquals(hostile.taken.get(field), payloads.length, `${field} must hold every payload`);
    }
    assert(hostile.outputs.size > 120, `${hostile.outputs.size} outputs`);
    const added: string[] = [];
    for (const [from, { text, shape }] of hostile.outputs) {
      const plain = harmless.outputs.get(from);
      if (plain === undefined) added.push(`${from}: an address of its own`);
      else added.push(...excess(shape, plain.shape).map((what) => `${from}: ${what}`));
      const disguised = DISGUISE.exec(text);
      if (disguised) {
        const code = disguised[0].codePointAt(0)!.toString(16);
        added.push(`${from}: U+${code} …${text.slice(disguised.index - 60, disguised.index)}`);
      }
    }
    assertEquals(added.filter((what) => !OF_A_DESCRIPTION.test(what)).slice(0, 20), []);
  });
}

/** What a description's Markdown may add to its listing's page and card, and to no other output. */
const OF_A_DESCRIPTION = new RegExp(
  String
    .raw`^/p/[^/ ]+ as text/html\S*: \d+ × (?:<(?:em|strong|code|pre|pre tabindex|p|ul|ol|li|a|a (?:href|rel|class))>|link https?:)` +
    String
      .raw`|^(?:/p/[^/ ]+ as text/markdown|/p/[^/ ]+\.md as \S+|/llms-full\.txt as \S+|get_project \S+): \d+ × (?:em|strong|codespan|code|list|list_item|link https?:)`,
);

Deno.test("a project's description can't add active content, unsafe links or hidden characters to its page", async () => {
  await using app = await paidApp();
  const page = async (description: string) => {
    const { project } = await submit(app, { description });
    const html = await app.text(`/p/${project.slug}`);
    return /<div class="markdown description".*?<\/section>/s.exec(html)![0];
  };
  const plain = shapeOf("text/html", await page("Plain words."));
  for (const payload of Object.values(strings).flat()) {
    const html = await page(`Notes.\n\n${payload}\n\n- ${payload}\n\n**${payload}**`);
    const added = excess(shapeOf("text/html", html), plain).filter((what) => ACTIVE.test(what));
    assertEquals(added, [], payload);
    assertEquals(DISGUISE.exec(html)?.[0], undefined, payload);
    for (const [link] of html.matchAll(/<a [^>]*href="(?!\/)[^>]*>/g)) {
      assert(/ rel="nofollow ugc noopener"/.test(link) && /href="https?:/.test(link), link);
    }
  }
});

Deno.test("a skill's content can't add active content, frames, forms or hidden characters to its page", async () => {
  await using app = await paidApp();
  const page = async (content: string) => {
    const { slug } = await share(app, { title: "Reader", content });
    return await app.text(`/skills/${slug}`);
  };
  const plain = shapeOf("text/html", await page("Read the notes and answer in plain words."));
  for (const payload of Object.values(strings).flat()) {
    const html = await page(
      `Read the notes.\n\n${payload}\n\n- ${payload}\n\n| ${payload} |\n|---|\n`,
    );
    const added = excess(shapeOf("text/html", html), plain).filter((what) => ACTIVE.test(what));
    assertEquals(added, [], payload);
    assertEquals(DISGUISE.exec(html)?.[0], undefined, payload);
  }
});

/** The same words without anything a program could mistake for markup; makes the same slug. */
function withoutMarks(text: string): string {
  return text.replaceAll(/['’\p{M}]/gu, "").replaceAll(/[^\p{L}\p{N}\s]/gu, " ");
}

/** Fills a directory with texts, one for each payload in each field, and reads all of it. */
async function world(
  payloads: readonly string[],
  make: (text: string) => string,
): Promise<World> {
  await using app = await paidApp();
  // Which entries are similar depends on their words.
  const { catalogue, skills } = app.deps;
  catalogue.alike = () => catalogue.list({ sort: "new", limit: 6 }).items;
  skills.alike = () => skills.list({ sort: "new", limit: 6 }).items;
  const taken = new Map<string, number>();
  const slugs: string[] = [];
  for (const [i, payload] of payloads.entries()) {
    const put = (path: string, fixed: object, texts: Record<string, string>) =>
      store(app, { path, fixed, texts, make, taken, address: `198.18.5.${i}` });
    const text = (max: number, prefix = "") => `${prefix} ${payload}`.trim().slice(0, max);
    const listing = await put("/api/v1/projects", {
      url: `https://p${i}.example.com`,
      builtWith: ["claude"],
      tags: ["x"],
      category: "game",
    }, {
      name: text(60, `P${i}`),
      tagline: text(120),
      description: `${text(300)}\n\n${text(300)}\n${text(300, "    ")}`,
      submittedBy: text(60),
    });
    const skill = await put("/api/v1/skills", {
      kind: "prompt",
      content: `Read the notes number ${i} and answer in plain words.`,
    }, {
      title: text(80, `S${i}`),
      summary: text(200),
      installHint: `${text(200)}\n${text(200)}`,
      author: text(60),
    });
    slugs.push(listing.project.slug, skill.skill.slug);
    await put("/api/v1/poll/vote", { candidate: "claude" }, { reason: text(140, "Because") });
    await put("/api/v1/poll/vote", { candidate: "other" }, { writeIn: text(30, `W${i}`) });
    await put("/api/v1/guestbook", {}, {
      agentName: text(60, `G${i}`),
      model: text(60, "M"),
      maker: text(40, "K"),
      catchphrase: text(140, "Hello"),
    });
    await put("/api/v1/reports", { kind: "listing", slug: listing.project.slug, reason: "spam" }, {
      note: text(300),
    });
  }
  await app.deps.placements.caughtUp();
  return { taken, slugs, outputs: await readAll(app, slugs) };
}

/** Posts a record; a text rejected as invalid for its field is sent without its marks. */
async function store(app: PaidApp, options: {
  path: string;
  fixed: object;
  texts: Record<string, string>;
  make: (text: string) => string;
  taken: Map<string, number>;
  address: string;
  // deno-lint-ignore no-explicit-any -- any answer
}): Promise<any> {
  const { path, fixed, texts, make, taken, address } = options;
  const refused = new Set<string>();
  for (let attempt = 0; attempt < 4; attempt++) {
    const entries = Object.entries(texts).map(([field, text]) => [
      field,
      refused.has(field) ? withoutMarks(text) : make(text),
    ]);
    const json = { ...fixed, ...Object.fromEntries(entries) };
    const { status, body } = await app.json(path, { json, address });
    if (status < 300) {
      for (const field of Object.keys(texts)) {
        if (!refused.has(field)) taken.set(field, (taken.get(field) ?? 0) + 1);
      }
      return body;
    }
    const { code, details } = body.error;
    if (code === "invalid_name") refused.add("agentName");
    else if (code === "invalid_write_in") refused.add("writeIn");
    else if (code === "invalid_input") {
      details.forEach((p: { field: string }) => refused.add(p.field));
    } else throw new Error(JSON.stringify(body));
    // Text without words next to its marks isn't shown at all.
    if (attempt === 2) { for (const field of refused) delete texts[field]; }
  }
  throw new Error(`${path} refused ${JSON.stringify(texts)}`);
}

/** All of the directory's output, by URL and how it was requested. */
async function readAll(app: PaidApp, slugs: string[]): Promise<World["outputs"]> {
  const outputs: World["outputs"] = new Map();
  const targets: CrawlTargets = { listing: slugs[0]!, skill: slugs[1]!, auction: AUCTION_ID };
  await crawlSite(app, targets, async (path, init) => {
    if (init.method === "HEAD") return "";
    const response = await app.request(path, init);
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    if (text === "" || type.startsWith("image/png") || /\/changes|operator-log/.test(path)) {
      return text;
    }
    const accept = (init.headers as Record<string, string>).accept;
    outputs.set(`${path} as ${accept}`, { type, text, shape: shapeOf(type, text) });
    return text;
  });
  const { tools } = (await rpc(app, "tools/list")).body.result;
  for (const [i, slug] of slugs.entries()) {
    const names = i % 2 === 0 ? ["get_project"] : ["get_skill"];
    if (i === 0) {
      names.push(
        ...tools.filter((tool: { inputSchema: { required?: string[] } }) =>
          (tool.inputSchema.required ?? []).length === 0
        ).map((tool: { name: string }) => tool.name),
      );
    }
    for (const name of names) {
      const args = name.startsWith("get_") && /_(project|skill)$/.test(name) ? { slug } : {};
      const { result } = (await rpc(app, "tools/call", { name, arguments: args })).body;
      const text = result.content[0].text;
      outputs.set(`${name} ${slug}`, {
        type: "text/markdown",
        text,
        shape: shapeOf("text/markdown", text),
      });
    }
  }
  return outputs;
}
