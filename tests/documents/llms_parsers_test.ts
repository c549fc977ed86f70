import { assert, assertEquals, assertMatch } from "@std/assert";
import MarkdownIt from "markdown-it";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

/** Names that end a link too early for a parser that looks for the first bracket or parenthesis. */
const NAMES = [
  "dependabot[bot]",
  "a]b",
  "](https://evil.example)",
  "[x](https://evil.example): y",
  "\\]",
  "\\[\\]",
  "![i](x)",
  "]: #",
  "- [z](y)",
  "&#93;",
  "me@example.com_a_",
  "*] b*",
];

/**
 * The reference parser of llms.txt (github.com/AnswerDotAI/llms-txt, miniparse.py) in the same
 * regular expressions. As there, a line in a section that isn't a link is an error.
 */
function parseLlms(text: string) {
  const [start, ...rest] = text.split(/^##\s*(.*?$)/m);
  const sections: Record<string, { title: string; url: string; desc?: string }[]> = {};
  for (let i = 0; i < rest.length; i += 2) {
    const lines = rest[i + 1]!.trim().split(/\n+/).filter((line) => line.trim() !== "");
    sections[rest[i]!] = lines.map((line) => {
      const link = /-\s*\[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?::\s*(?<desc>.*))?/.exec(line);
      if (link === null) throw new Error(`No link: ${line}`);
      return link.groups as { title: string; url: string; desc?: string };
    });
  }
  const head = /^#\s*(?<title>.+?$)\n+(?:^>\s*(?<summary>.+?$)$)?\n+(?<info>[^]*)/m
    .exec(start!.trim())!.groups!;
  return { title: head.title, summary: head.summary, sections };
}

const commonMark = new MarkdownIt("commonmark");

/** The texts of the links in Markdown, except for URLs in angle brackets. */
function linkTexts(markdown: string): string[] {
  const texts: string[] = [];
  let open = false;
  const parts = commonMark.parse(markdown, {}).flatMap(({ children }) => children ?? []);
  for (const { type, content } of parts.filter(({ info }) => info !== "auto")) {
    if (type === "link_open") texts.push("");
    else if (open && type !== "link_close") texts.push(texts.pop()! + content);
    if (type.startsWith("link_")) open = type === "link_open";
  }
  return texts;
}

async function hostileApp(): Promise<TestApp> {
  const app = await testApp();
  for (const [n, name] of NAMES.entries()) {
    await submit(app, { name, tagline: name, category: "saas", url: `https://p${n}.example.com` });
    await share(app, { title: name, summary: name, content: `Content number ${n} of a test.` });
  }
  return app;
}

const read = async (app: TestApp, path: string) => {
  const response = await app.request(path, { headers: { accept: "text/markdown, text/plain" } });
  assertEquals(response.status, 200, path);
  return await response.text();
};

Deno.test("the reference parser of llms.txt reads the whole file, whatever names it contains", async () => {
  await using app = await hostileApp();
  const text = await read(app, "/llms.txt");
  const { title, summary, sections } = parseLlms(text);
  assert(title && summary);
  const listed = [...sections.New!, ...sections["Skills (agent instructions, most copied)"]!];
  assertEquals(listed.length, 2 * NAMES.length);
  for (const { url } of Object.values(sections).flat()) assertMatch(url, /^https?:\/\/[^\s<>]+$/);
  const shown = linkTexts(text);
  for (const name of NAMES) assertEquals(shown.filter((text) => text === name).length, 3, name);
});

Deno.test("link texts in Markdown twins have no raw brackets", async () => {
  await using app = await hostileApp();
  for (const path of ["/index.md", "/projects.md", "/skills.md", "/c/saas.md", "/llms-full.txt"]) {
    const text = await read(app, path);
    const labels = [...text.matchAll(/(?<!\\)\[[^[\]]*(?<!\\)\]\(<?https?:/g)];
    assertEquals(labels.length, linkTexts(text).length, path);
  }
});

Deno.test("a badge's Markdown snippet shows any name as the image's text", async () => {
  await using app = await testApp();
  for (const name of NAMES) {
    const { badge } = await submit(app, { name });
    const [link, image] = commonMark.parse(badge.markdown, {})[1]!.children!;
    assertEquals([link!.type, image!.type, image!.children!.map((part) => part.content).join("")], [
      "link_open",
      "image",
      name,
    ]);
    assert(!/\\[[\]]/.test(badge.markdown), badge.markdown);
  }
});
