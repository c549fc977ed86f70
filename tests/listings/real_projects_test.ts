import { assert, assertEquals } from "@std/assert";
import { marked } from "marked";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { cleanText } from "@/lib/text/clean.ts";
import { type MarkdownNode, parseDescription } from "@/lib/text/markdown_tree.ts";
import { urlIdentity } from "@/lib/text/url_identity.ts";
import { testApp } from "../support/app.ts";
import { addressOf } from "../support/listings.ts";
import { readRealProjects, toSubmission } from "../support/real_projects.ts";

/** The text of HTML as a reader sees it. */
function visibleText(html: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return html.replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(#\d+|\w+);/g, (whole, name) =>
      entities[name] ??
        (name[0] === "#" ? String.fromCodePoint(Number(name.slice(1))) : whole))
    .replaceAll(/\s+/g, " ");
}

/** Removes white space, because elements can start and end within words. */
const squeeze = (text: string) => text.replaceAll(/\s+/g, "");
/** The words of a description as its page shows them. */
const shown = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => typeof node === "string" ? node : shown(node.children)).join("");

Deno.test("388 real projects can be submitted and read as JSON, page and Markdown; duplicates name the first", async () => {
  await using app = await testApp();
  const projects = readRealProjects();
  assertEquals(projects.length, 388);
  const firstByUrl = new Map<string, string>();
  let listed = 0;
  for (const [i, project] of projects.entries()) {
    const fields = toSubmission(project);
    const answer = await app.json("/api/v1/projects", { json: fields, address: addressOf(i) });
    const identity = urlIdentity(fields.url as string);
    const first = firstByUrl.get(identity);
    if (first !== undefined) {
      assertEquals([answer.status, answer.body.error.code], [409, "duplicate_url"], project.name);
      assertEquals(answer.body.error.details, { slug: first });
      continue;
    }
    assertEquals(answer.status, 201, JSON.stringify([fields, answer.body]));
    listed++;
    const created: PublicListing = answer.body.project;
    firstByUrl.set(identity, created.slug);

    const clean = (text: string, lines = false) => cleanText(text, { lines }).text;
    assertEquals(created.name, clean(project.name));
    assertEquals(created.tagline, clean(fields.tagline as string));
    assertEquals(created.description, clean(project.description, true));
    assertEquals(created.tags, [...new Set(fields.tags as string[])]);
    assertEquals(urlIdentity(created.url), identity);

    const read = await app.json(`/api/v1/projects/${created.slug}`);
    assertEquals(read.body.project, created);
    const page = await app.request(`/p/${created.slug}`);
    assertEquals(page.status, 200);
    const text = squeeze(visibleText(await page.text()));
    const markdown = await app.text(`/p/${created.slug}.md`);
    const rendered = squeeze(visibleText(await marked(markdown)));
    // A description that equals the tagline isn't shown again.
    const description = created.description === created.tagline
      ? created.tagline
      : shown(parseDescription(created.description!));
    for (const field of [created.name, created.tagline, description]) {
      assert(text.includes(squeeze(field)), `page of ${created.slug} lacks ${field}`);
      assert(rendered.includes(squeeze(field)), `Markdown of ${created.slug} lacks ${field}`);
    }
  }
  assertEquals(listed, firstByUrl.size);
  assertEquals((await app.json("/api/v1/projects?limit=1")).body.total, listed);
});
