import type { Browser, Page } from "playwright-core";
import { type TestApp, testApp } from "./app.ts";
import { sharedBrowser } from "./browser.ts";
import { freePort } from "./free_port.ts";
import { readRealProjects, toSubmission } from "./real_projects.ts";

/** A complete site on a local port, and a browser to visit it. */
export interface TestSite extends AsyncDisposable {
  app: TestApp;
  browser: Browser;
  /** The site's origin. */
  base: string;
  /** Slugs of the given listings, in order. */
  slugs: string[];
  /**
   * A new visitor with their own cookies and storage, which are deleted when the page is closed.
   */
  visit(options?: VisitOptions): Promise<Page>;
}

/** A visitor's traits. */
interface VisitOptions {
  width?: number;
  script?: boolean;
  theme?: string;
  reducedMotion?: boolean;
  /** Two visitors with different names are two voters. */
  name?: string;
}

/**
 * Serves a site with `listings` real projects, some of them paid, picked or voted for. `makeApp`
 * creates the service with these settings; by default one without payments.
 */
export async function testSite(
  options: {
    listings?: number;
    makeApp?: (options: { env: Record<string, string> }) => Promise<TestApp>;
  } = {},
): Promise<TestSite> {
  const port = freePort();
  const base = `http://127.0.0.1:${port}`;
  const app = await (options.makeApp ?? testApp)({ env: { BASE_URL: base } });
  const slugs = await fill(app, options.listings ?? 0);
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, app.handler);
  const shared = await sharedBrowser();
  const { browser } = shared;

  return {
    app,
    browser,
    base,
    slugs,
    async visit({ width = 1280, script = true, theme, reducedMotion, name = "A" } = {}) {
      const page = await browser.newPage({
        baseURL: base,
        javaScriptEnabled: script,
        viewport: { width, height: 900 },
        reducedMotion: reducedMotion ? "reduce" : "no-preference",
        userAgent: `Mozilla/5.0 (X11; Linux x64) Chrome/130.0 Safari/537.36 ${name}`,
      });
      if (theme) await page.context().addCookies([{ name: "theme", value: theme, url: base }]);
      // Long enough for a machine with all cores busy.
      page.setDefaultTimeout(15_000);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await shared[Symbol.asyncDispose]();
      await server.shutdown();
      await app[Symbol.asyncDispose]();
    },
  };
}

async function fill(app: TestApp, count: number): Promise<string[]> {
  const slugs: string[] = [];
  const projects = readRealProjects().slice(0, count).map(toSubmission);
  for (const [i, project] of projects.entries()) {
    const json = {
      ...project,
      accent: ["Lagoon", "Iris", "Lime", "Ember", "Cream"][i % 5],
      builtWith: [["claude-code"], ["cursor", "v0", "human"], []][i % 3],
    };
    const { body } = await app.json("/api/v1/projects", { json, address: `203.0.113.${i}` });
    if (!body.ok) continue;
    const { slug } = body.project;
    slugs.push(slug);
    for (let vote = 0; vote < i % 4; vote++) {
      await app.json(`/api/v1/projects/${slug}/vote`, {
        method: "POST",
        address: `198.51.100.${i * 4 + vote}`,
      });
    }
  }
  await fillSkills(app);
  if (slugs.length < 5) return slugs;
  const now = app.clock.now();
  const endsAt = now + 86_400_000;
  const { catalogue } = app.deps;
  catalogue.setFrontRow([{ slug: slugs[0]!, startsAt: now - 1, endsAt }]);
  const span = { tierId: "boost-7" as const, startsAt: now - 1, endsAt };
  catalogue.setPromotion(slugs[1]!, [span]);
  catalogue.setPromotion(slugs[2]!, [{ ...span, tierId: "bump-3" as const }]);
  catalogue.setGem(slugs[4]!, { note: "Full entry, two days old, one vote", since: now });
  return slugs;
}

/** The content of a skill that uses everything a skill page can show. */
export const CHANGELOG_WRITER = [
  "---",
  "name: changelog-writer",
  "description: Writes a changelog entry",
  "---",
  "# Steps",
  "## First",
  "1. Run `git log --oneline`",
  "2. Read <https://example.com/changelog>",
  "",
  "> Set GITHUB_TOKEN, hide \u200Bnothing",
  "",
  "| Kind | Heading |",
  "|---|---|",
  "| feat | Added |",
  "",
  "```sh",
  "npm ci",
  "```",
].join("\n");

/**
 * Shares two skills: one that uses everything a skill page can show, one with words too long for a
 * line.
 */
async function fillSkills(app: TestApp): Promise<void> {
  const word = "incomprehensibilities".repeat(12);
  const skills = [
    {
      title: "Changelog writer",
      summary: "Writes a changelog entry from the commits since the last tag",
      kind: "skill-md",
      content: CHANGELOG_WRITER,
      worksWith: ["claude-code", "codex"],
      tags: ["git"],
      category: "releases",
      installHint: "Needs git 2.40 or newer",
      origin: "third-party",
      license: "MIT",
      sourceUrl: "https://example.com/source",
    },
    {
      title: "Long words",
      summary: word.slice(0, 200),
      kind: "agents-md",
      content:
        `# ${word}\n\n\`npm i ${word}\` https://example.com/${word}\n\n| ${word} | b |\n|---|---|\n`,
      author: word.slice(0, 60),
    },
  ];
  for (const json of skills) await app.json("/api/v1/skills", { json });
}
