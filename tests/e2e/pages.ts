import type { Page } from "playwright-core";
import { HOUR_MS } from "@/lib/clock.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { setSwitches, type Switches } from "@/lib/switches.ts";
import { sha256 } from "@/lib/text/digest.ts";
import { PAGE_PATHS } from "@/lib/urls.ts";
import type { LivelySite } from "../support/lively.ts";
import { CHANGELOG_WRITER } from "../support/site.ts";

/** A view of a page: a URL and, if needed, the actions to take there. */
interface PageState {
  name: string;
  /** Shows it; the last action loads or changes a page. */
  show(page: Page): Promise<void>;
}

/** The URLs of the site's pages, at least one of each kind. */
export function sitePages({ named }: Pick<LivelySite, "named">): string[] {
  const { plain, wordy, promoted, frontRow, gem } = named;
  return [
    ...PAGE_PATHS,
    "/projects?q=react&sort=top",
    "/projects?q=zzyzx",
    "/projects?q=react+components+like+nothing+else&category=game",
    "/projects?offset=30",
    "/projects?gems=1",
    ...[plain, wordy, promoted, frontRow, gem].map((slug) => `/p/${slug}`),
    `/p/${plain}/edit`,
    `/p/${plain}/report`,
    `/p/${promoted}/withdraw`,
    `/p/${plain}/claim`,
    "/report",
    `/p/${plain}/billing`,
    `/p/${plain}/notices`,
    `/p/${plain}/promotion-report`,
    "/c/dev-tool",
    "/c/community",
    "/t/claude-code",
    "/t/manus",
    "/projects?tag=css",
    "/skills?kind=workflow",
    "/skills?q=zzyzx",
    "/skills/changelog-writer",
    "/skills/changelog-writer/edit",
    "/skills/changelog-writer/report",
    "/skills/changelog-writer/withdraw",
    "/skills/changelog-writer/claim",
    `/skills/changelog-writer/${sha256(CHANGELOG_WRITER, "hex")}`,
    "/skills/long-words",
    `/auctions/${named.openAuction}`,
    `/auctions/${named.upcomingAuction}`,
    `/auctions/${named.wonAuction}`,
    `/auctions/${named.emptyAuction}`,
    "/help?q=edit+key",
    "/help?q=zzzzz",
    "/poll?window=today&group=ai_agent",
    "/poll?window=today&group=other",
    "/checkout/cancelled",
    `/checkout/cancelled?slug=${plain}`,
    `/checkout/paid?slug=${promoted}`,
    `/checkout/paid?slug=${plain}`,
    `/checkout/paid?slug=${wordy}`,
    `/checkout/held?auction=${named.openAuction}`,
    named.leads,
    named.outbid,
    `/checkout/bid-cancelled?auction=${named.openAuction}`,
  ];
}

/** Pages that result from an action or a mistake: errors, refusals, thanks. */
export function pageStates(site: LivelySite): PageState[] {
  const { plain, openAuction } = site.named;
  const { store } = site.app.deps;

  /** A form sent without the browser's own validation. */
  const send = (path: string, values: Record<string, string> = {}): PageState["show"] => (page) =>
    post(page, path, values);

  /** A form sent after the operator changed a setting. */
  const sendWhile =
    (switches: Partial<Switches>, undo: Partial<Switches>, ...form: Parameters<typeof send>) =>
    async (page: Page) => {
      await setSwitches(store, switches);
      try {
        await send(...form)(page);
      } finally {
        await setSwitches(store, undo);
      }
    };

  const taken = site.app.deps.catalogue.get(plain)!.url;
  let serial = 0;
  const fresh = () => ({
    name: "Lighthouse",
    url: `https://lighthouse-${++serial}.example.org`,
    tagline: "Turns, and is seen",
  });
  const skill = () => ({
    title: "Read the tide table",
    summary: "Tells when to leave the harbour",
    kind: "prompt",
    content: `Ask for the port and the day, then read the table. Edition ${++serial}.`,
  });

  return [
    { name: "not found", show: (page) => open(page, "/p/nothing-here") },
    { name: "invalid query", show: (page) => open(page, "/projects?sort=bad&category=none") },
    { name: "submit, empty", show: send("/submit") },
    { name: "submit, taken", show: send("/submit", { ...fresh(), url: taken, tags: "No!, b" }) },
    { name: "submit, listed", show: (page) => post(page, "/submit", fresh()) },
    {
      name: "submit, pending",
      show: (page) => sendWhile({ review: true }, { review: false }, "/submit", fresh())(page),
    },
    {
      name: "submit, paused (503)",
      show: (page) =>
        sendWhile({ submissionsPaused: true }, { submissionsPaused: false }, "/submit", fresh())(
          page,
        ),
    },
    { name: "edit, wrong key", show: send(`/p/${plain}/edit`, { editKey: "pik_no", url: "no" }) },
    { name: "edit, saved", show: (page) => open(page, `/p/${plain}#saved`) },
    {
      name: "edit, waiting for review",
      async show(page) {
        await setSwitches(store, { review: true });
        const { project } = (await site.app.json("/api/v1/projects", { json: fresh() })).body;
        await setSwitches(store, { review: false });
        await open(page, `/p/${project.slug}/edit`);
      },
    },
    {
      name: "report, hidden in the meantime (404)",
      async show(page) {
        const { project } = (await site.app.json("/api/v1/projects", { json: fresh() })).body;
        await open(page, `/p/${project.slug}/report`);
        await page.fill("#note", "It was here a moment ago");
        await moveListing(site.app.deps, { slug: project.slug, step: "hide" });
        await submit(page, "form.form");
      },
    },
    { name: "billing, nothing bought", show: send(`/p/${plain}/billing`, { editKey: "pik_no" }) },
    { name: "report, empty", show: send(`/p/${plain}/report`) },
    { name: "report, sent", show: send(`/p/${plain}/report`, { reason: "broken" }) },
    { name: "share, empty", show: send("/skills/submit") },
    { name: "share, shared", show: (page) => post(page, "/skills/submit", skill()) },
    { name: "skill edit, wrong key", show: send("/skills/long-words/edit", { editKey: "pik_no" }) },
    { name: "promote, empty", show: send("/promote") },
    { name: "promote, order", show: send("/promote", { slug: plain, tierId: "boost-7" }) },
    {
      name: "promote, closed",
      show: async (page) => {
        await setSwitches(store, { paymentsClosed: true });
        await open(page, "/promote");
        await setSwitches(store, { paymentsClosed: false });
      },
    },
    {
      name: "bid, too low",
      show: send(`/auctions/${openAuction}`, { slug: "nobody", amount: "3" }),
    },
    {
      name: "bid, order",
      show: send(`/auctions/${openAuction}`, { slug: plain, amount: "40" }),
    },
    { name: "poll, empty", show: send("/poll") },
    { name: "poll, no name", show: send("/poll", { candidate: "other", reason: "x".repeat(150) }) },
    { name: "poll, voted", show: send("/poll", { candidate: "claude", reason: "It waits" }) },
    {
      name: "vote, too many (429)",
      async show(page) {
        const vote = `/api/v1/projects/${plain}/vote`;
        for (let i = 0; i < 121; i++) {
          await site.app.request(vote, { method: "DELETE", address: "127.0.0.1" });
        }
        await open(page, `/p/${plain}`);
        await submit(page, ".listing-head form.vote");
        // Later steps may vote again.
        site.app.clock.advance(HOUR_MS);
      },
    },
  ];
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
}

async function post(page: Page, path: string, values: Record<string, string>): Promise<void> {
  await open(page, path);
  for (const folded of await page.locator("form.form details:not([open]) summary").all()) {
    await folded.click();
  }
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`form.form [name="${name}"]`).first();
    const type = await field.getAttribute("type");
    if (type === "radio" || type === "checkbox") {
      await page.check(`form.form [name="${name}"][value="${value}"]`);
    } else if (await field.evaluate((node) => node.tagName === "SELECT")) {
      await field.selectOption(value);
    } else {
      await field.evaluate((node) => node.removeAttribute("maxlength"));
      await field.fill(value);
    }
  }
  await submit(page, "form.form");
}

/** Sends a form bypassing the browser's validation and any script. */
async function submit(page: Page, form: string): Promise<void> {
  await Promise.all([
    page.waitForEvent("load"),
    page.locator(form).first().evaluate((node) => (node as HTMLFormElement).submit()),
  ]);
}
