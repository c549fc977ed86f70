import { assert, assertEquals } from "@std/assert";
import { ListingInput } from "@/lib/listings/schema.ts";
import { SkillInput } from "@/lib/skills/schema.ts";
import { testApp } from "../support/app.ts";

/** What is submitted in a field, and the text that shows it on the page and in the Markdown card. */
type Shown = [given: unknown, page: string | null, card: string | null];

const listing: Record<keyof typeof ListingInput.shape, Shown> = {
  name: ["Inkwell", ">Inkwell<", "# Inkwell"],
  url: ["https://ink.example.com/well", "ink.example.com", "https://ink.example.com/well"],
  tagline: ["A notebook that answers", "A notebook that answers", "A notebook that answers"],
  description: ["It keeps what you wrote", "It keeps what you wrote", "It keeps what you wrote"],
  category: ["nonprofit", "/c/nonprofit", "Category: nonprofit"],
  tags: [["paper", "pen"], "paper", "Tags: paper, pen"],
  builtWith: [["claude"], "/t/claude", "Built with: claude"],
  pricing: ["freemium", "Freemium", "Pricing: freemium"],
  accent: ["#684CFF", null, null],
  logoUrl: ["https://ink.example.com/logo.png", null, null],
  repoUrl: ["https://git.example.com/ink", "https://git.example.com/ink", "git.example.com/ink"],
  linkCheck: ["off", "Not checked, at the owner's request", "Link: not checked"],
  contactEmail: ["ada@ink.example.com", null, null],
  notifyUrl: ["https://hooks.example.com/ink", null, null],
  submittedBy: ["Ada Writer", "Ada Writer", "Submitted by: Ada Writer"],
  editKey: [`pik_${"a".repeat(43)}`, null, null],
};

const skill: Record<keyof typeof SkillInput.shape, Shown> = {
  title: ["Changelog writer", ">Changelog writer<", "# Changelog writer"],
  summary: ["Writes what changed", "Writes what changed", "Writes what changed"],
  kind: ["prompt", "Prompt", "Kind: prompt"],
  content: ["Group the commits since the last tag.", "since the last tag.", "since the last tag."],
  category: ["releases", "Releases", "Category: releases"],
  worksWith: [["claude"], "Claude", "Works with: claude"],
  tags: [["commits", "notes"], "commits", "Tags: commits, notes"],
  installHint: ["Save it beside the others", "Save it beside", "Save it beside"],
  author: ["Grace Author", "Grace Author", "Author: Grace Author"],
  license: ["CC-BY-4.0", "CC-BY-4.0", "License: CC-BY-4.0"],
  origin: ["third-party", "Third-party", "third-party"],
  sourceUrl: ["https://git.example.com/log", "https://git.example.com/log", "git.example.com/log"],
  editKey: [`pik_${"a".repeat(43)}`, null, null],
};

for (
  const [path, shape, fields] of [
    ["projects", ListingInput.shape, listing],
    ["skills", SkillInput.shape, skill],
  ] as [string, object, Record<string, Shown>][]
) {
  Deno.test(`every field of ${path} shows on an entry's page and card, or is listed here as an exception`, async () => {
    assertEquals(Object.keys(fields).sort(), Object.keys(shape).sort());
    await using app = await testApp();
    const json = Object.fromEntries(Object.entries(fields).map(([name, [given]]) => [name, given]));
    const { status, body } = await app.json(`/api/v1/${path}`, { json });
    assertEquals(status, 201, JSON.stringify(body));
    const { pathname } = new URL((body.project ?? body.skill).page);
    const page = (await app.text(pathname)).replace(/^[\s\S]*?<main/, "");
    const card = await app.text(`${pathname}.md`);
    for (const [name, [given, onPage, inCard]] of Object.entries(fields)) {
      for (const [text, wanted] of [[page, onPage], [card, inCard]] as const) {
        assert(
          wanted === null ? !text.includes(String(given)) : text.includes(wanted),
          `${name}: ${wanted}`,
        );
      }
    }
  });
}

Deno.test("a description's empty lines only separate paragraphs on its page", async () => {
  await using app = await testApp();
  const description = `Top\n${"\n".repeat(900)}\nMiddle\n\nBottom`;
  const json = { name: "A", url: "https://a.example.com", tagline: "b", description };
  const { project } = (await app.json("/api/v1/projects", { json })).body;
  assertEquals(project.description, description);
  const page = await app.text(`/p/${project.slug}`);
  assert(page.includes("<p>Top</p><p>Middle</p><p>Bottom</p>"));
});
