import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { endSalesWhenTakenDown } from "@/lib/app/taken_down.ts";
import { applyIntent } from "@/lib/auctions/holds.ts";
import { verify } from "@/lib/backup/verify.ts";
import { DAY_MS } from "@/lib/clock.ts";
import { Store } from "@/lib/kv/store.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { notify } from "@/lib/notices/outbox.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { setSwitches } from "@/lib/switches.ts";
import { auctionOf, bid, CLOSE, fateOf, hold, intentOf, link } from "../auctions/bidding.ts";
import { exchangeNews, testApp } from "../support/app.ts";
import { KINDS, make } from "../support/kinds.ts";
import { kvWith, overtakenKv } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";
import { AUCTION_ID, paidApp } from "../support/payments.ts";
import { buy } from "../support/promotions.ts";
import { share } from "../support/skills.ts";

for (const kind of KINDS) {
  const { list, page, noun, body, other, setHidden } = kind;
  Deno.test(`a withdrawn ${noun} leaves only a tombstone, and can be listed again under another slug`, async () => {
    await using app = await testApp();
    const json = body({ tags: ["zebra"] });
    const made = (await app.json(list, { json })).body;
    const { slug } = made[noun];
    const { nextSince } = (await app.json("/api/v1/changes")).body;
    await app.json(`${list}/${slug}/vote`, { method: "POST" });
    const { status, body: gone } = await app.json(`${list}/${slug}`, {
      method: "DELETE",
      editKey: made.editKey,
    });
    assertEquals([status, gone], [200, { ok: true, slug, withdrawn: true }]);
    for (
      const path of [`${list}/${slug}`, page + slug, `${page}${slug}/edit`, `${list}/${slug}/vote`]
    ) {
      assertEquals((await app.request(path)).status, 404, path);
    }
    assertEquals((await app.json(list)).body.total, 0);
    const { body: { changes } } = await app.json(`/api/v1/changes?since=${nextSince}`);
    const last = changes.at(-1);
    assertEquals([last.slug, last.event, last.url], [slug, "withdrawn", null]);
    const log = await app.text("/changes");
    assertMatch(
      log,
      new RegExp(`>(Project|Skill) withdrawn by the owner</span> <span><code>${slug}</code>`),
    );
    // Its key no longer opens anything.
    for (const method of ["DELETE", "PATCH"] as const) {
      const again = await app.json(`${list}/${slug}`, {
        method,
        ...(method === "PATCH" && { json: other }),
        editKey: made.editKey,
      });
      assertEquals([again.status, again.body.error.code], [404, "not_found"], method);
    }
    const relisted = (await app.json(list, { json })).body;
    assert(relisted[noun].slug !== slug);
    assertEquals(relisted[noun].votes, 0);
    assertEquals(await verify(app.deps.store), []);
  });

  Deno.test(`only its own key can withdraw a ${noun}`, async () => {
    await using app = await testApp();
    const made = (await app.json(list, { json: body() })).body;
    const other = (await app.json(list, { json: body() })).body;
    const path = `${list}/${made[noun].slug}`;
    for (const editKey of [undefined, "pik_wrong", other.editKey]) {
      const { status, body: { error } } = await app.json(path, { method: "DELETE", editKey });
      assertEquals([status, error.code], [403, "bad_edit_key"]);
    }
    const nowhere = await app.json(`${list}/nowhere`, { method: "DELETE", editKey: made.editKey });
    assertEquals([nowhere.status, nowhere.body.error.code], [404, "not_found"]);
    assertEquals((await app.json(list)).body.total, 2);
  });

  Deno.test(`an edit changes nothing if its ${noun} is withdrawn or hidden while it arrives`, async () => {
    await using app = await testApp();
    for (const code of ["not_found", "bad_edit_key"]) {
      const { slug, editKey } = await make(app, kind);
      const path = `${list}/${slug}`;
      const edit = new ReadableStream({
        async pull(controller) {
          if (code === "bad_edit_key") await setHidden(app, slug, true);
          else await app.json(path, { method: "DELETE", editKey });
          controller.enqueue(new TextEncoder().encode(JSON.stringify(other)));
          controller.close();
        },
      }, { highWaterMark: 0 });
      const headers = { "content-type": "application/json" };
      const refused = await app.json(path, { method: "PATCH", body: edit, editKey, headers });
      assertEquals(refused.body.error.code, code);
      assertEquals((await app.json(path)).status, 404);
    }
  });

  Deno.test(`the edit page of a ${noun} links to a form that withdraws it`, async () => {
    await using app = await testApp();
    const made = (await app.json(list, { json: body() })).body;
    const path = `${page}${made[noun].slug}/withdraw`;
    const edit = await app.text(`${page}${made[noun].slug}/edit`);
    assertStringIncludes(
      edit,
      `href="${path}">Withdraw this ${noun}</a>`,
    );
    const asked = await app.request(path);
    assertEquals(asked.headers.get("cache-control"), "private, no-store");
    assertMatch(await asked.text(), /This can.*?t be undone\./);
    const wrong = await app.request(path, { form: { editKey: "pik_wrong" } });
    assertEquals(wrong.status, 403);
    assertStringIncludes(await wrong.text(), "Edit key</a> is wrong");
    assertEquals((await app.json(list)).body.total, 1);
    const done = await app.request(path, { form: { editKey: ` ${made.editKey} ` } });
    assertEquals(done.status, 200);
    const gone = await done.text();
    assertMatch(gone, /<h1><span dir="auto">.+<\/span> was withdrawn<\/h1>/);
    assertStringIncludes(gone, noun === "skill" ? ">Share a skill</a>" : ">Submit a project</a>");
    assertEquals((await app.json(list)).body.total, 0);
    const again = await app.request(path, { form: { editKey: made.editKey } });
    assertEquals(again.status, 200);
    assertMatch(await again.text(), /<h1><span dir="auto">.+<\/span> was withdrawn<\/h1>/);
    assertEquals((await app.request(path)).status, 404);
  });

  Deno.test(`another process stops showing a withdrawn ${noun} once it is notified`, async () => {
    const kv = await Deno.openKv(":memory:");
    await using app = await testApp({ kv: kvWith(kv, { close: () => {} }) });
    await using other = await testApp({ kv });
    exchangeNews(app, other);
    const made = (await app.json(list, { json: body() })).body;
    await other.deps.sync.caughtUp();
    assertEquals((await other.json(list)).body.total, 1);
    await app.json(`${list}/${made[noun].slug}`, { method: "DELETE", editKey: made.editKey });
    await other.deps.sync.caughtUp();
    assertEquals((await other.json(list)).body.total, 0);
    assertEquals((await other.request(page + made[noun].slug)).status, 404);
  });
}

Deno.test("two withdrawals and an edit at once leave one tombstone", async () => {
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app);
  const path = `/api/v1/projects/${slug}`;
  const answers = await Promise.all([
    app.json(path, { method: "DELETE", editKey }),
    app.json(path, { method: "PATCH", json: { tagline: "Late" }, editKey }),
    app.json(path, { method: "DELETE", editKey }),
  ]);
  assertEquals(answers.filter(({ body }) => body.withdrawn).length, 1);
  assertEquals((await app.json(path)).status, 404);
  const { body: { changes } } = await app.json("/api/v1/changes");
  assertEquals(changes.filter(({ event }: { event: string }) => event === "withdrawn").length, 1);
});

Deno.test("a listing withdrawn before approval leaves no trace in the change log", async () => {
  await using app = await testApp();
  await setSwitches(app.deps.store, { review: true });
  const { project: { slug }, editKey, pending } = await submit(app);
  assertEquals(pending, true);
  assertEquals((await app.request(`/p/${slug}/withdraw`)).status, 200);
  const { status } = await app.json(`/api/v1/projects/${slug}`, { method: "DELETE", editKey });
  assertEquals(status, 200);
  assertEquals((await app.json("/api/v1/changes")).body.changes, []);
  assertEquals(app.deps.catalogue.pending.size, 0);
});

Deno.test("update_project withdraws a listing, but not together with field changes", async () => {
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app);
  const call = async (args: object) => {
    const { content, structuredContent, isError } = await callTool(app, "update_project", {
      slug,
      editKey,
      ...args,
    });
    return isError ? JSON.parse(content[0].text).error : structuredContent;
  };
  const both = await call({ withdraw: true, fields: { tagline: "x" } });
  assertEquals(both.details, [
    { field: "fields", message: "Can't be combined with withdraw" },
  ]);
  const wrong = await call({ withdraw: true, editKey: "pik_wrong" });
  assertEquals(wrong.code, "bad_edit_key");
  const neither = await call({ withdraw: false });
  assertEquals(neither.details[0].field, "fields");
  const edited = await call({ withdraw: null, fields: { tagline: "New" } });
  assertEquals(edited.project.tagline, "New");
  const gone = await call({ withdraw: true, fields: null });
  assertEquals(gone, { ok: true, withdrawn: true });
  assertEquals((await app.json(`/api/v1/projects/${slug}`)).status, 404);
});

Deno.test("a withdrawal releases a leading hold, cancels renewals, expires links and restarts the bidding", async () => {
  await using app = await paidApp();
  endSalesWhenTakenDown(app.deps);
  const { project: { slug }, editKey } = await submit(app);
  const other = (await submit(app)).project.slug;
  await buy(app, slug, "boost-7", true);
  const lead = await hold(app, slug, 3000);
  const open = await link(app, slug, 9000);
  assertEquals((await auctionOf(app)).highBidCents, 3000);
  const asked = await app.text(`/p/${slug}/withdraw`);
  assertMatch(asked, /Its Boost promotion is paid for through .+\./);
  assertEquals(asked.split("without a refund").length - 1, 1);

  await app.json(`/api/v1/projects/${slug}`, { method: "DELETE", editKey });
  for (let i = 0; i < 50 && intentOf(app, lead).status !== "canceled"; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await settlePayments(app.deps);
  assertEquals(intentOf(app, lead).status, "canceled");
  assertEquals(await fateOf(app, lead), "completed, withdrawn, released");
  assertEquals([...app.stripe.subscriptions.values()].map(({ status }) => status), ["canceled"]);
  assertEquals(app.stripe.sessions.get(open)!.status, "expired");

  const auction = await auctionOf(app);
  assertEquals([auction.highBidCents, auction.highBidder, auction.minNextBidCents], [
    null,
    null,
    1000,
  ]);
  const { body: { auction: { bids } } } = await app.json(`/api/v1/auctions/${AUCTION_ID}`);
  assertEquals(
    bids.map(({ status, slug }: { status: string; slug: string | null }) => [status, slug]),
    [
      ["withdrawn", null],
    ],
  );
  await hold(app, other, 1000);
  assertEquals((await auctionOf(app)).highBidder.slug, other);
  assertEquals((await bid(app, slug, 2000)).status, 404);
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}`);
  assertEquals(body.auction.bids.map(({ status }: { status: string }) => status).sort(), [
    "high",
    "withdrawn",
  ]);
});

Deno.test("a bid that takes the lead while its listing is being withdrawn is released, too", async () => {
  const { kv, others, overtake } = await overtakenKv();
  await using app = await paidApp({ kv });
  const { project: { slug }, editKey } = await submit(app);
  const open = await link(app, slug, 3000);
  app.stripe.pay(open);
  const { stripe } = app.deps;
  const other = { ...app.deps, stripe: stripe!, store: new Store(others, app.clock) };
  overtake(() => applyIntent(other, intentOf(app, open).id, null));
  await app.json(`/api/v1/projects/${slug}`, { method: "DELETE", editKey });
  await settlePayments(app.deps);
  assertEquals(await fateOf(app, open), "completed, withdrawn, released");
  assertEquals((await auctionOf(app)).highBidCents, null);
});

Deno.test("a winning bid still wins if its listing is withdrawn, but the Front Row stays empty", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app);
  const lead = await hold(app, slug, 3000);
  app.clock.set(CLOSE);
  await app.json(`/api/v1/projects/${slug}`, { method: "DELETE", editKey });
  await settlePayments(app.deps);
  assertEquals(await fateOf(app, lead), "completed, won, captured");
  app.clock.advance(2 * DAY_MS);
  assertEquals((await app.json("/api/v1/trending")).body.frontRow, null);
});

for (const days of [2, 3, 14]) {
  Deno.test(`a withdrawal releases a leading hold even if the clock was set back ${days} days, to before bidding opened`, async () => {
    await using app = await paidApp();
    const { project: { slug }, editKey } = await submit(app);
    const lead = await hold(app, slug, 3000);
    app.clock.advance(-days * DAY_MS);
    assertEquals((await auctionOf(app)).status, "upcoming");
    await app.json(`/api/v1/projects/${slug}`, { method: "DELETE", editKey });
    app.clock.advance(days * DAY_MS);
    await settlePayments(app.deps);
    assertEquals(await fateOf(app, lead), "completed, withdrawn, released");
  });
}

Deno.test("an auction whose only bid was withdrawn ends without a winner", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app);
  await hold(app, slug, 3000);
  await app.json(`/api/v1/projects/${slug}`, { method: "DELETE", editKey });
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  const { outcome, bidCount } = await auctionOf(app);
  assertEquals([outcome, bidCount], ["no-bids", 1]);
  const page = await app.text(`/auctions/${AUCTION_ID}`);
  assertStringIncludes(page, "Nobody won.");
});

/** Fails if a word is in any key or value. */
async function assertNowhere(kv: Deno.Kv, word: string): Promise<void> {
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const text = JSON.stringify([key, value], (_, one) => typeof one === "bigint" ? `${one}` : one);
    assert(!text.includes(word), text);
  }
}

Deno.test("nothing of a withdrawn listing's text, addresses, notices, gem or health is stored", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  const { project: { slug }, editKey } = await submit(app, {
    name: "Ink",
    url: "https://marmotword.example.com/",
    tagline: "marmotword of it",
    description: "All about marmotword",
    tags: ["marmotword"],
    contactEmail: "marmotword@example.com",
    submittedBy: "marmotword author",
  });
  await app.deps.store.transact(async (tx) => {
    await notify(tx, slug, { type: "key_replaced" });
    tx.set(listingKeys.gem(slug), { note: "marmotword is new", since: app.clock.now() });
    tx.set(listingKeys.health(slug), { url: "https://marmotword.example.com/" });
  });
  await app.json(`/api/v1/projects/${slug}`, { method: "DELETE", editKey });
  await assertNowhere(kv, "marmotword");
});

Deno.test("nothing of a withdrawn skill's text is stored", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  const { slug, editKey } = await share(app, {
    title: "Marmotword",
    summary: "Marmotword of it",
    content: "# Marmotword\n\nRun it twice, then rest.\n",
    author: "Marmotword Author",
  });
  await app.json(`/api/v1/skills/${slug}`, { method: "DELETE", editKey });
  await assertNowhere(kv, "Marmotword");
});
