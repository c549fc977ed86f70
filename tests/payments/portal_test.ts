import { assert, assertEquals } from "@std/assert";
import { createStripe } from "@/lib/payments/stripe.ts";
import { setSwitches } from "@/lib/switches.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { type PaidApp, paidApp } from "../support/payments.ts";
import { buy } from "../support/promotions.ts";
import type { Subscription } from "../support/stripe/objects.ts";

function portal(app: PaidApp, slug: string, headers: Record<string, string>) {
  return app.json("/api/v1/billing/portal", { json: { slug }, headers });
}

/** Buys a promotion and returns its payer at Stripe. */
async function payer(app: PaidApp, slug: string, autoRenew: boolean, tierId = "boost-7") {
  return app.stripe.sessions.get(await buy(app, slug, tierId, autoRenew))!.customer;
}

Deno.test("the portal opens only with the listing's own key, in either header", async () => {
  await using app = await paidApp();
  const a = await submit(app);
  const b = await submit(app);
  const { slug } = a.project;
  await payer(app, slug, true);
  for (const headers of [{}, { "X-Edit-Key": b.editKey }, { "X-Edit-Key": "pik_x" }]) {
    const { status, body } = await portal(app, slug, headers as Record<string, string>);
    assertEquals([status, body.error.code], [403, "bad_edit_key"]);
  }
  assertEquals((await portal(app, "nobody", { "X-Edit-Key": a.editKey })).status, 404);
  const { status, body } = await portal(app, slug, { "X-Edit-Key": a.editKey });
  assertEquals(status, 200);
  assert(body.portalUrl.startsWith("https://billing.stripe.com/"));
  assertEquals((await portal(app, slug, { Authorization: `Bearer ${a.editKey}` })).status, 200);
});

Deno.test("a listing without purchases has no portal, and the error says so", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app);
  const { status, body } = await portal(app, slug, { "X-Edit-Key": editKey });
  assertEquals([status, body.error.code], [404, "not_found"]);
  assert(body.error.message.includes("no billing account"));
});

Deno.test("a customer deleted at Stripe counts as no billing account, not as a retryable failure", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app);
  app.stripe.customers.delete((await payer(app, slug, false))!);
  const { status, body } = await portal(app, slug, { "X-Edit-Key": editKey });
  assertEquals([status, body.error.code], [404, "not_found"]);
  assert(body.error.message.includes("no billing account"));
  const later = await payer(app, slug, false);
  assertEquals(await customerShown(app, slug, editKey), later);
});

/** The customer whose portal a listing's edit key opens. */
async function customerShown(app: PaidApp, slug: string, editKey: string) {
  const bodies: string[] = [];
  const { stripe } = app.deps;
  app.deps.stripe = createStripe({
    secretKey: "sk_test_double",
    fetch: (input, init) => {
      bodies.push(String(init?.body ?? ""));
      return app.stripe.fetch(input as Request, init);
    },
  });
  assertEquals((await portal(app, slug, { "X-Edit-Key": editKey })).status, 200);
  app.deps.stripe = stripe;
  return new URLSearchParams(bodies[0]).get("customer");
}

Deno.test("the portal shows the live renewal's customer, or else the latest payment's", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app);
  const renewing = await payer(app, slug, true);
  assertEquals(await customerShown(app, slug, editKey), renewing);
  const once = await payer(app, slug, false);
  assertEquals(await customerShown(app, slug, editKey), renewing);
  const [subscription] = app.stripe.subscriptions.values();
  await app.deps.stripe!.subscriptions.cancel(subscription!.id);
  await app.deliverAll();
  assertEquals(await customerShown(app, slug, editKey), once);
  const later = await payer(app, slug, false);
  assertEquals(await customerShown(app, slug, editKey), later);
  // Stripe reports an earlier payment again, as another event.
  const told = app.stripe.events.find(({ type }) => type === "checkout.session.completed")!;
  const paid = [...app.stripe.sessions.values()].find(({ customer }) => customer === once)!;
  await app.post({ ...told, id: "evt_once_more", data: { object: { ...paid } } });
  assertEquals(await customerShown(app, slug, editKey), later);
});

Deno.test("with two renewals, the portal shows the one that isn't canceled yet, and the page names the other", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app);
  const boost = await payer(app, slug, true);
  const spotlight = await payer(app, slug, true, "spotlight-30");
  const [first, second] = [...app.stripe.subscriptions.values()];
  const cancel = async (subscription: Subscription) => {
    app.stripe.emit("customer.subscription.updated", subscription);
    await app.deliverAll();
  };
  const namesOther = async () =>
    (await app.text(`/p/${slug}/billing`, { form: { editKey } })).includes(
      "come back for the other",
    );
  assertEquals(await customerShown(app, slug, editKey), boost);
  assertEquals(await namesOther(), true);
  first!.cancel_at_period_end = true;
  await cancel(first!);
  assertEquals(await customerShown(app, slug, editKey), spotlight);
  assertEquals(await namesOther(), false);
  // The other way in which Stripe reports it.
  second!.cancel_at = second!.items.data[0]!.current_period_end;
  await cancel(second!);
  assertEquals(await customerShown(app, slug, editKey), boost);
  first!.cancel_at_period_end = false;
  second!.cancel_at = null;
  await cancel(first!);
  await cancel(second!);
  app.stripe.cancelSubscription(first!.id);
  await app.deliverAll();
  assertEquals(await customerShown(app, slug, editKey), spotlight);
});

Deno.test("no session names a customer, so that nobody sees another person's cards", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await payer(app, slug, false);
  const { body } = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  assertEquals(app.stripe.sessions.get(app.sessionOf(body.checkoutUrl))!.customer, null);
});

Deno.test("the portal works while payments are closed, maps Stripe's errors, and needs a Stripe key", async () => {
  {
    await using app = await paidApp();
    const { project: { slug }, editKey } = await submit(app);
    await payer(app, slug, true);
    await setSwitches(app.deps.store, { paymentsClosed: true });
    const headers = { "X-Edit-Key": editKey };
    assertEquals((await portal(app, slug, headers)).status, 200);
    app.stripe.fail("http_500");
    assertEquals((await portal(app, slug, headers)).body.error.code, "stripe_error");
    app.stripe.fail("no_url");
    assertEquals((await portal(app, slug, headers)).body.error.code, "stripe_no_url");
    for (let i = 0; i < 7; i++) await portal(app, slug, headers);
    assertEquals((await portal(app, slug, headers)).body.error.code, "rate_limited");
  }
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app);
  const { body } = await app.json("/api/v1/billing/portal", { json: { slug }, editKey });
  assertEquals(body.error.code, "payments_unconfigured");
});

Deno.test("a person can open the portal from the listing's page with its key, and errors appear at the field", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app);
  const path = `/p/${slug}/billing`;
  const read = async (at: string, form?: Record<string, string>) => {
    const response = await app.request(at, { form });
    return { response, text: await response.text() };
  };
  assert((await read(`/p/${slug}`)).text.includes(`href="${path}"`));
  assert((await read(path)).text.includes('name="editKey"'));
  const early = await read(path, { editKey });
  assertEquals(early.response.status, 404);
  assert(early.text.includes("no billing account"));
  await payer(app, slug, true);
  const wrong = await read(path, { editKey: "pik_x" });
  assertEquals(wrong.response.status, 403);
  assert(wrong.text.includes('id="editKey-problem"'));
  const { response, text } = await read(path, { editKey: ` ${editKey} ` });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "private, no-store");
  assert(/href="https:\/\/billing\.stripe\.com\//.test(text));
  assertEquals(text.includes(editKey), false);
});
