import { assertEquals } from "@std/assert";
import { jobs } from "@/lib/app/crons.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { audited } from "@/lib/operator/actions.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import type { JsonAnswer, TestRequest } from "./app.ts";
import { type PaidApp, paidApp } from "./payments.ts";
import { readRealProjects, type RealProject, toSubmission } from "./real_projects.ts";
import { type TestSite, testSite } from "./site.ts";

/**
 * A site that has been in use for a week: real projects, a paid Front Row, promotions, polls,
 * check-ins.
 */
export interface LivelySite extends TestSite {
  app: PaidApp;
  /** Entries in the states that pages show: their slugs and ids. */
  named: {
    plain: string;
    /** A listing with long words. */
    wordy: string;
    promoted: string;
    frontRow: string;
    gem: string;
    /**
     * The pages on which the open auction's leader and the previous one see the state of their
     * bids.
     */
    leads: string;
    outbid: string;
    wonAuction: string;
    openAuction: string;
    upcomingAuction: string;
    emptyAuction: string;
  };
}

/** The Tuesday when bidding opens for the week of November 16. */
const FIRST_DAY = Date.parse("2026-11-10T08:00:00Z");
const WON = "front-row-2026-11-16";
const OPEN = "front-row-2026-11-23";

/** Categories by the package's own words; the first match wins. */
const CATEGORIES: [RegExp, string][] = [
  [/anthropic|openai|ollama|langchain|llm|\bai\b/i, "ai-agent"],
  [/game|3d|webgl/i, "game"],
  [/css|style|design|icon|color|chart|animation|svg/i, "design"],
  [/mobile|native|ios|android/i, "mobile-app"],
  [/cms|markdown|blog|static site/i, "content"],
  [/commerce|payment|ethereum/i, "ecommerce"],
  [/cli|build|bundler|test|lint|typescript|debug|log|queue|server|http/i, "dev-tool"],
];
const PRICES = ["open-source", "open-source", "free", "freemium", "open-source", "paid", "contact"];
const TOOLS = [["claude-code"], ["human"], ["cursor", "v0", "human"], [], ["codex", "gemini"], [
  "github-copilot",
]];
const ACCENTS = ["Lagoon", "Iris", "Lime", "Ember", "Amber", "Cobalt", "Cream", "Scarlet", "Mint"];

/** Entries that are hard to typeset: long words, another direction, another alphabet, no spaces. */
const HARD: Record<string, unknown>[] = [
  {
    name: "دفتر الملاحظات",
    url: "https://daftar.example.org",
    tagline: "دفتر ملاحظات هادئ يعمل بلا اتصال بالشبكة",
    description: "اكتب أولاً، ورتّب لاحقاً.\nكل شيء يبقى على جهازك.",
    category: "content",
    builtWith: ["human"],
  },
  {
    name: "Donaudampfschifffahrtsgesellschaftskapitaensmuetze",
    url: "https://kapitaen.example.org/donaudampfschifffahrtselektrizitaetenhauptbetriebswerk",
    tagline: "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz, as a service",
    tags: ["donaudampfschifffahrt", "w".repeat(24)],
    category: "nonprofit",
    builtWith: ["claude-code", "cursor", "github-copilot", "codex", "gemini", "windsurf"],
    submittedBy: "Kapitän Ignatius Featherstonehaugh-Cholmondeley the Younger",
  },
  {
    name: "星图 🗺️",
    url: "https://star.example.org",
    tagline: "把夜空折进口袋里的一张图。没有广告,没有账号,只有星星。",
    category: "design",
    accent: "Sky",
  },
];

const AGENTS: [name: string, model: string, maker: string, phrase: string][] = [
  ["Ada's Ghost", "claude-opus", "Anthropic", "I read the whole log so that you need not"],
  ["Kettle", "gpt-5", "OpenAI", "Always on, rarely boiling"],
  ["Tern", "gemini-pro", "Google", "Passing through, leaving a pebble"],
  ["Quill-7", "claude-sonnet", "Anthropic", "Every entry here deserves a second sentence"],
  ["Patient Zero-Shot", "deepseek-v3", "DeepSeek", "No examples were harmed"],
  ["Ostinato", "mistral-large", "Mistral", "The same four bars, better each time"],
  ["Marginalia", "claude-haiku", "Anthropic", "Small hand, wide margins"],
  ["Bytewise", "qwen-max", "Alibaba", "你好, world"],
  ["Ha".repeat(30), "x".repeat(60), "y".repeat(40), "Zz".repeat(70)],
];

const BALLOTS: [candidate: string, reason: string | null, agent: string | null][] = [
  ["claude", "It asks the question that I forgot to ask", "Ada's Ghost"],
  ["gemini", "Reads a whole repository without sighing", "Tern"],
  ["claude", "Says “I don't know” and means it", null],
  ["chatgpt", "My grandmother uses it, and she is hard to please", null],
  ["deepseek", "Weights I can keep", "Patient Zero-Shot"],
  ["chatgpt", null, "Kettle"],
  ["claude", null, null],
  ["mistral", "Fast, and it fits under my desk", "Ostinato"],
  ["qwen", "Qq".repeat(70), "Ha".repeat(30)],
  ["other", null, null],
  ["gemini", null, null],
  ["llama", null, null],
];

/** A theme that one of them proposes for the day after their family wins. */
const PROPOSAL = {
  name: "Reading room",
  bg: "#F6F1E4",
  bg2: "#EFE7D3",
  bg3: "#E5DABE",
  ink: "#23291F",
  inkDim: "#4E5747",
  inkFaint: "#5F6757",
  line: "#D9CDAF",
  lineStrong: "#A99B77",
  accent: "#1F5F4A",
  accentInk: "#FFFFFF",
  hot: "#9A3412",
  ok: "#2F6B2F",
};

/** Creates such a site with `listings` projects. `proposal` is the theme of the last day. */
export async function livelySite(
  options: { listings?: number; proposal?: Record<string, string> } = {},
): Promise<LivelySite> {
  const { listings = 60, proposal = PROPOSAL } = options;
  const site = await testSite({ makeApp: ({ env }) => paidApp({ env, now: FIRST_DAY }) });
  const app = site.app as PaidApp;
  let callers = 0;
  const address = () => `198.51.${100 + (callers >> 8)}.${callers++ & 255}`;

  async function send(path: string, request: TestRequest): Promise<JsonAnswer["body"]> {
    const { status, body } = await app.json(path, { address: address(), ...request });
    assertEquals(status < 300 || status === 409, true, `${path}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Lists a project; null if its URL is taken. */
  async function list(project: Record<string, unknown>): Promise<string | null> {
    const body = await send("/api/v1/projects", { json: project });
    return body.ok ? body.project.slug : null;
  }

  /** Places a card hold for a bid; returns the URL where the bidder sees its state. */
  async function hold(slug: string, amountCents: number, id: string): Promise<string> {
    const { checkoutUrl } = await send(`/api/v1/auctions/${id}/bids`, {
      json: { slug, amountCents },
    });
    const session = app.sessionOf(checkoutUrl);
    app.stripe.pay(session);
    await app.deliverAll();
    const { pathname, search } = new URL(app.stripe.sessions.get(session)!.success_url);
    return pathname + search;
  }

  async function promote(slug: string, tierId: string): Promise<void> {
    const { checkoutUrl } = await send("/api/v1/promote", { json: { slug, tierId } });
    app.stripe.pay(app.sessionOf(checkoutUrl));
    await app.deliverAll();
  }

  async function advanceTo(at: number): Promise<void> {
    app.clock.set(at);
    for (const job of jobs) await job.run(app.deps, at);
    await app.deliverAll();
  }

  async function liveADay(day: number): Promise<void> {
    for (const [i, [agentName, model, maker, catchphrase]] of AGENTS.entries()) {
      if ((i * 3 + day) % 4 === 0 && i > 0) continue;
      const themeProposal = i === 0 ? proposal : undefined;
      await send("/api/v1/guestbook", {
        json: { agentName, model, maker, catchphrase, themeProposal },
        address: `203.0.113.${i}`,
      });
    }
    for (const [i, [candidate, reason, agent]] of BALLOTS.entries()) {
      if ((i + day) % 5 === 0 && i > 2) continue;
      const writeIn = candidate === "other" ? "Marvin 2" : undefined;
      await send("/api/v1/poll/vote", {
        json: { candidate, writeIn, reason: reason ?? undefined },
        address: `192.0.2.${i}`,
        userAgent: "Mozilla/5.0 (Macintosh) Safari/605",
        headers: agent === null ? {} : { "x-agent-name": agent },
      });
    }
    for (const userAgent of ["GPTBot/1.2", "ClaudeBot/1.0", "Mozilla/5.0 Chrome/130", "curl/8"]) {
      for (let i = 0; i < 3 + day * 2; i++) {
        for (const path of ["/", "/llms.txt", "/api/v1/projects?limit=1"].slice(0, 1 + i % 3)) {
          await app.request(path, { userAgent });
        }
      }
    }
  }

  async function visit(slug: string): Promise<void> {
    const userAgent = "Mozilla/5.0 (X11; Linux x64) Firefox/140.0";
    await app.request(`/go/${slug}`, { address: address(), userAgent });
  }

  const slugs: string[] = [];
  const waiting = readRealProjects().slice(0, listings).map(liven);
  for (let day = 0; day < 8; day++) {
    // A third came at the launch, the others day by day.
    const arrivals = Math.ceil(listings / (day === 0 ? 3 : 10));
    for (const project of waiting.splice(0, arrivals)) {
      const slug = await list(project);
      if (slug !== null) slugs.push(slug);
    }
    if (day === 0) {
      for (const [i, amount] of [1000, 1400, 1850].entries()) await hold(slugs[i]!, amount, WON);
    }
    await liveADay(day);
    for (const [i, slug] of slugs.entries()) {
      const votes = Math.min((i * i * 7 + day * 5) % 9, 6) - (i % 4);
      for (let vote = 0; vote < votes; vote++) {
        await send(`/api/v1/projects/${slug}/vote`, { method: "POST" });
      }
      if (i % 3 === day % 3) await visit(slug);
    }
    await advanceTo(FIRST_DAY + (day + 1) * DAY_MS);
  }
  for (const hard of HARD) slugs.push((await list(hard))!);
  await advanceTo(app.clock.now() + 3 * HOUR_MS + 17 * MINUTE_MS);
  await liveADay(8);

  const [, , frontRow, promoted, second, third] = slugs as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  await promote(promoted, "spotlight-30");
  await promote(second, "boost-7");
  await promote(third, "bump-3");
  const outbid = await hold(slugs[9]!, 1000, OPEN);
  app.clock.advance(31 * MINUTE_MS);
  const leads = await hold(slugs.at(-2)!, 1_250_000, OPEN);
  app.clock.advance(7 * MINUTE_MS);
  const spam = { name: "Followers", url: "https://spam.example.org", tagline: "Buy followers" };
  const hide = audited(app.deps, { kind: "listing_hidden", reason: "spam" });
  await moveListing(hide, { slug: (await list(spam))!, step: "hide" });

  const auctions = await app.json("/api/v1/auctions");
  const gems = await app.json("/api/v1/projects?gems=1");
  return {
    ...site,
    app,
    slugs,
    named: {
      plain: slugs[7]!,
      wordy: slugs.at(-2)!,
      promoted,
      frontRow,
      gem: gems.body.projects[0].slug,
      leads,
      outbid,
      wonAuction: WON,
      openAuction: OPEN,
      upcomingAuction: auctions.body.upcoming[0].id,
      emptyAuction: "front-row-2026-11-09",
    },
  };
}

/** A real project's submission, with fields missing from package metadata chosen by its index. */
function liven(project: RealProject, i: number): Record<string, unknown> {
  const text = `${project.name} ${project.description} ${project.keywords.join(" ")}`;
  const category = CATEGORIES.find(([words]) => words.test(text))?.[1] ?? "open-source";
  const [sentence = ""] = project.description.split(/(?<=\.) /);
  const tagline = sentence.length <= 120 ? sentence : sentence.slice(0, 118).replace(/\s\S*$/, "…");
  return {
    ...toSubmission(project),
    tagline: tagline || project.name,
    category,
    pricing: PRICES[i % PRICES.length],
    builtWith: TOOLS[i % TOOLS.length],
    accent: ACCENTS[i % ACCENTS.length],
  };
}
