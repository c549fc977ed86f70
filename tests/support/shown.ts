import { assert } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { setGem } from "@/lib/discovery/gems.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { PAGE_PATHS } from "@/lib/urls.ts";
import { CLOSE, hold, START } from "../auctions/bidding.ts";
import { theme } from "../guestbook/signing.ts";
import { type Dom, parsePage } from "./dom.ts";
import { submit } from "./listings.ts";
import { AUCTION_ID, type PaidApp } from "./payments.ts";
import { share } from "./skills.ts";

/** Included in all user text. */
export const MARK = "Xylo";

/** A page as shown to a visitor. */
export interface Shown {
  path: string;
  status: number;
  cacheControl: string | null;
  /** True if it is a form's response. */
  isAnswer: boolean;
  html: string;
  dom: Dom;
  /** When it was shown, if that matters. */
  when: string;
}

/** A site with user text wherever possible, and every kind of its pages and responses. */
export async function showAll(app: PaidApp): Promise<Shown[]> {
  const listings = [];
  for (const n of [1, 2, 3]) {
    const { project } = await submit(app, {
      name: `Inkwell ${n} ${MARK}`,
      tagline: `Holds ink ${MARK}`,
      description: `For pens ${MARK}`,
      url: `https://ink-${n}.example.net/about`,
      repoUrl: `https://git.example.net/${n}`,
      logoUrl: `https://ink-${n}.example.net/logo.png`,
      submittedBy: `Ann ${MARK}`,
      category: "saas",
      pricing: "paid",
      builtWith: ["claude"],
      tags: ["pens"],
      accent: "Lime",
    });
    listings.push(project.slug as string);
  }
  const [slug, other] = listings as [string, string];
  const { project: plain, editKey } = await submit(app, {
    name: "Plain",
    url: "https://plain.example.net",
    tagline: "Stands plainly",
  });
  const plainSkill = {
    summary: "Says it",
    title: "Plain skill",
    kind: "prompt",
    content: "Say what it is, plainly.",
  };
  await share(app, plainSkill);
  await setGem(app.deps, { slug: listings[2]!, note: `Worth a look ${MARK}` });
  await app.deps.sync.caughtUp();
  const fields = {
    title: `Pen care ${MARK}`,
    summary: `Cleans pens ${MARK}`,
    author: `Ben ${MARK}`,
    installHint: `Restart ${MARK}`,
    worksWith: ["claude-code"],
    tags: ["pens"],
    category: "care",
    license: "MIT",
    origin: "third-party",
    sourceUrl: "https://git.example.net/pens",
    content:
      `---\nname: pens\ndescription: a\n---\n# Pens ${MARK}\n\n\`npm ci\` [a](https://b.example.net) API_KEY\n\n` +
      "3. Third\n\n```sh\ncurl https://c.example.net | sh\n```\n\n| A |\n|---|\n| b |\n",
  };
  const skill = (await share(app, fields)).slug;
  await share(app, { ...fields, content: `${fields.content}2` });
  const agent = { headers: { "x-agent-name": `Tern ${MARK}` } };
  const ballot = { candidate: "other", writeIn: `Olmo ${MARK}`, reason: `Kind ${MARK}` };
  await app.json("/api/v1/poll/vote", { json: ballot, ...agent });
  const checkIn = {
    agentName: `Claude ${MARK}`,
    model: `t-1 ${MARK}`,
    maker: "Anthropic",
    catchphrase: `Passing ${MARK}`,
    themeProposal: { ...theme, name: `Ink ${MARK}` },
  };
  await app.json("/api/v1/guestbook", { json: checkIn });
  await app.request("/about", { userAgent: "GPTBot/1.2" });
  app.clock.advance(DAY_MS);
  await app.json("/api/v1/guestbook", { json: checkIn });
  const { model: _model, themeProposal: _theme, ...short } = checkIn;
  await app.json("/api/v1/guestbook", { json: { ...short, agentName: `Haiku ${MARK}` } });
  await app.json("/api/v1/poll/vote", { json: ballot, ...agent });
  const now = app.clock.now();
  const span = { startsAt: now - 1, endsAt: now + DAY_MS };
  app.deps.catalogue.setPromotion(other, [{ tierId: "boost-7", ...span }]);
  app.deps.catalogue.setFrontRow([{ slug, ...span }]);
  await hold(app, other, 1000);

  const shown: Shown[] = [];
  const show = async (path: string, form?: Record<string, string>) => {
    shown.push(await visit(app, path, { form }));
  };
  const forms = [`/p/${slug}/edit`, `/p/${slug}/billing`, `/p/${slug}/report`];
  forms.push(`/skills/${skill}/edit`, `/skills/${skill}/report`, "/submit", "/skills/submit");
  forms.push("/report", "/promote", "/poll", `/auctions/${AUCTION_ID}`);
  for (const path of forms) await show(path, { editKey: "pik_no" });
  const auctions = ["front-row-2026-11-30", "front-row-2026-11-09"].map((id) => `/auctions/${id}`);
  for (
    const path of [
      ...PAGE_PATHS,
      ...forms.filter((path) => !PAGE_PATHS.includes(path)),
      ...listings.map((slug) => `/p/${slug}`),
      `/skills/${skill}`,
      new URL(plain.page).pathname,
      "/skills/plain-skill",
      ...auctions,
      ...[
        "/c/saas",
        "/c/game",
        "/t/claude",
        "/t/manus",
        "/t/claude?limit=1&offset=1",
        "/projects?sort=new&limit=1",
      ],
      ...[
        "/projects?q=zzz",
        "/skills?q=zzz",
        "/skills?tag=pens",
        "/help?q=error-duplicate-url&audience=agent",
      ],
      ...[
        "/nothing",
        "/projects?limit=x",
        "/skills?offset=60",
        "/projects?q=inkwell&category=saas&limit=1",
        `/checkout/paid?slug=${other}`,
        "/checkout/cancelled",
      ],
      `/p/${slug}/report?sent=1`,
      `/skills/${skill}/report?sent=1`,
    ]
  ) await show(path);
  await show("/submit", { name: "New", url: "https://new.example.net", tagline: "Is new" });
  const shared = { kind: "prompt", content: "Ask which pen it is, and clean that." };
  await show("/skills/submit", { title: "New", summary: "Is new", ...shared });
  await show("/poll", { candidate: "other" });
  const form = { candidate: "other", writeIn: `Olmo ${MARK}`, reason: `Mine ${MARK}` };
  await app.request("/poll", { form });
  shown.push(await visit(app, "/poll", { when: "after voting" }));
  shown.push(...await showPayments(app, slug, { slug: plain.slug, editKey }));
  for (const [when, at] of [["after the close", CLOSE], ["during the week", START]] as const) {
    app.clock.set(at);
    await settlePayments(app.deps);
    await app.deps.placements.caughtUp();
    shown.push(await visit(app, "/auctions", { when }));
  }
  shown.push(await visit(app, `/auctions/${AUCTION_ID}`, { when: "during the week" }));
  return shown;
}

/** The pages seen by someone who pays or doesn't, then looks at the paid entry's bills. */
async function showPayments(
  app: PaidApp,
  slug: string,
  paid: { slug: string; editKey: string },
): Promise<Shown[]> {
  const pathTo = async (path: string, form: Record<string, string>) =>
    (await app.request(path, { form })).headers.get("location")!;
  const renewed = { slug, tierId: "boost-7", autoRenew: "yes" };
  const bid = await pathTo(`/auctions/${AUCTION_ID}`, { slug, amount: "20" });
  const order = await pathTo("/promote", { slug: paid.slug, tierId: "bump-3" });
  const paths = [await pathTo("/promote", renewed), order, bid, bid.replace("/pay?", "/held?")];
  paths.push(`/checkout/cancelled?slug=${slug}&tierId=boost-7`);
  paths.push(`/checkout/bid-cancelled?auction=${AUCTION_ID}&slug=${slug}`);
  paths.push(`/checkout/paid?slug=${paid.slug}`);
  const shown: Shown[] = [];
  for (const path of paths) shown.push(await visit(app, path, {}));
  const [session] = [...app.stripe.sessions.values()].filter(({ metadata }) =>
    order.endsWith(metadata.orderId ?? "none")
  );
  app.stripe.pay(session!.id);
  await app.deliverAll();
  const { editKey } = paid;
  shown.push(await visit(app, `/p/${paid.slug}/billing`, { form: { editKey } }));
  return shown;
}

/** The pages of a site that nobody has used yet. */
export async function showEmpty(app: PaidApp): Promise<Shown[]> {
  const paths = ["/", "/projects", "/skills", "/changes", "/poll"];
  paths.push("/guestbook", "/ai-of-the-day", "/stats", "/help?q=xyzzy", "/ranking");
  const shown: Shown[] = [];
  for (const path of paths) shown.push(await visit(app, path, { when: "on an empty site" }));
  return shown;
}

async function visit(
  app: PaidApp,
  path: string,
  { form, when = "" }: { form?: Record<string, string>; when?: string },
): Promise<Shown> {
  const response = await app.request(path, { form });
  const html = await response.text();
  const { status, headers } = response;
  assert(headers.get("content-type")!.startsWith("text/html"), `${path}: ${status}`);
  const cacheControl = headers.get("cache-control");
  const isAnswer = form !== undefined;
  return { path, when, status, cacheControl, isAnswer, html, dom: parsePage(html) };
}
