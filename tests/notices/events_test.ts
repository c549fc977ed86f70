import { assertEquals } from "@std/assert";
import { jobs } from "@/lib/app/crons.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { noticeKeys } from "@/lib/notices/keys.ts";
import type { Notice } from "@/lib/notices/outbox.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { CLOSE, hold } from "../auctions/bidding.ts";
import { submit } from "../support/listings.ts";
import { operator } from "../support/operator.ts";
import { paidApp } from "../support/payments.ts";
import { PostOffice } from "../support/post_office.ts";
import { buy } from "../support/promotions.ts";

const HOOK = "http://hooks.test/";
const JOB = jobs.find(({ name }) => name === "deliver-notices")!;

/** A site whose webhooks arrive; `heard` returns what came since its last call. */
async function stage() {
  const office = await PostOffice.open();
  const bodies: { type: string; data: Record<string, unknown> }[] = [];
  office.web.serve("hooks.test", async (req) => {
    bodies.push(await req.json());
    return new Response();
  });
  const app = await paidApp({ env: office.env });
  return {
    app,
    async heard() {
      for (let i = 0; i < 2; i++) await JOB.run(app.deps, app.clock.now());
      const waiting = await Array.fromAsync(
        app.deps.store.list<Notice>({ prefix: noticeKeys.all }),
      );
      assertEquals(waiting, []);
      return bodies.splice(0).map(({ type, data }): Record<string, unknown> => ({ type, ...data }));
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await office[Symbol.asyncDispose]();
    },
  };
}

const said = (heard: Record<string, unknown>[]) => heard.map(({ type, slug }) => `${type} ${slug}`);

Deno.test("a bidder is notified when outbid by another project and when they win", async () => {
  await using site = await stage();
  const { app } = site;
  const one = (await submit(app, { notifyUrl: HOOK })).project.slug;
  const other = (await submit(app, { notifyUrl: HOOK })).project.slug;
  await hold(app, one, 1_000);
  await hold(app, one, 1_500);
  assertEquals(said(await site.heard()), []);
  await hold(app, other, 2_000);
  const [outbid, ...rest] = await site.heard();
  assertEquals(rest, []);
  assertEquals([outbid!.type, outbid!.slug, outbid!.amount], ["project.outbid", one, "$15.00"]);
  app.clock.set(CLOSE + MINUTE_MS);
  for (let i = 0; i < 3; i++) await settlePayments(app.deps);
  await app.deliverAll();
  const won = await site.heard();
  assertEquals(said(won), [`project.won ${other}`]);
  assertEquals([won[0]!.amount, won[0]!.startsAt], ["$20.00", "2026-11-23T00:00:00.000Z"]);
});

Deno.test("an owner is notified once each when a promotion starts, ends in two days, and ends", async () => {
  await using site = await stage();
  const { app } = site;
  const { slug } = (await submit(app, { notifyUrl: HOOK })).project;
  await buy(app, slug, "bump-3");
  const [started, ...rest] = await site.heard();
  assertEquals([rest, started!.type], [[], "project.promotion_started"]);
  const end = Date.parse(started!.endsAt as string);
  app.clock.set(end - 2 * DAY_MS - 1);
  assertEquals(await site.heard(), []);
  app.clock.set(end - 2 * DAY_MS);
  assertEquals(said(await site.heard()), [`project.promotion_ends_soon ${slug}`]);
  // More time for the same tier moves the end and starts nothing new.
  await buy(app, slug, "bump-3");
  assertEquals(await site.heard(), []);
  app.clock.set(end + HOUR_MS);
  assertEquals(said(await site.heard()), []);
  app.clock.set(end + 3 * DAY_MS - 2 * DAY_MS);
  assertEquals(said(await site.heard()), [`project.promotion_ends_soon ${slug}`]);
  app.clock.set(end + 3 * DAY_MS);
  assertEquals(said(await site.heard()), [`project.promotion_ended ${slug}`]);
  for (let i = 0; i < 3; i++) {
    app.clock.advance(DAY_MS);
    assertEquals(await site.heard(), []);
  }
});

Deno.test("a renewing promotion sends no notice that it ends soon", async () => {
  await using site = await stage();
  const { app } = site;
  const { slug } = (await submit(app, { notifyUrl: HOOK })).project;
  await buy(app, slug, "boost-7", true);
  const [started] = await site.heard();
  const end = Date.parse(started!.endsAt as string);
  app.clock.set(end - DAY_MS);
  assertEquals(await site.heard(), []);
  app.clock.set(end);
  assertEquals(said(await site.heard()), [`project.promotion_ended ${slug}`]);
});

Deno.test("the owner of a hidden listing isn't told that its promotion ends or that it is still listed", async () => {
  await using site = await stage();
  const { app } = site;
  const { slug } = (await submit(app, { notifyUrl: HOOK })).project;
  await buy(app, slug, "bump-3");
  const [started] = await site.heard();
  const end = Date.parse(started!.endsAt as string);
  await operator(app, "listings", "hide", slug);
  assertEquals(said(await site.heard()), [`project.hidden ${slug}`]);
  for (const at of [end - DAY_MS, end]) {
    app.clock.set(at);
    assertEquals(await site.heard(), []);
  }
});

Deno.test("an owner is notified when a project is approved, hidden and brought back", async () => {
  await using site = await stage();
  const { app } = site;
  await operator(app, "review", "on");
  const { slug } = (await submit(app, { notifyUrl: HOOK })).project;
  for (
    const [verb, type] of [["approve", "live"], ["hide", "hidden"], ["unhide", "live"]] as const
  ) {
    await operator(app, "listings", verb, slug);
    assertEquals(said(await site.heard()), [`project.${type} ${slug}`]);
  }
});

Deno.test("an owner isn't told of an end from days ago, such as before the site had notices", async () => {
  await using site = await stage();
  const { app } = site;
  const { slug } = (await submit(app, { notifyUrl: HOOK })).project;
  await buy(app, slug, "bump-3");
  const [started] = await site.heard();
  app.clock.set(Date.parse(started!.endsAt as string) + 3 * DAY_MS);
  assertEquals(await site.heard(), []);
});
