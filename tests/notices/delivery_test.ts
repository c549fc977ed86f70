import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { jobs, runJob } from "@/lib/app/crons.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import type { NoticeEvent } from "@/lib/notices/events.ts";
import { noticeKeys } from "@/lib/notices/keys.ts";
import { type Notice, notify } from "@/lib/notices/outbox.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { operator } from "../support/operator.ts";
import { PostOffice } from "../support/post_office.ts";

const MAIL = "ada@inkwell.test";
const HOOK = "http://hooks.test/in?key=private";

const JOB = jobs.find(({ name }) => name === "deliver-notices")!;

/** Runs the job, which otherwise runs every minute. */
const deliver = ({ deps }: TestApp) => runJob(deps, JOB);

const outbox = ({ deps }: TestApp) =>
  Array.fromAsync(
    deps.store.list<Notice>({ prefix: noticeKeys.all }),
    ({ value: { channel, failures } }) => [channel, failures],
  );

/** What a webhook host received, and the status that it returns. */
function receiver(office: PostOffice) {
  const hook = { status: 204, got: [] as { headers: Record<string, string>; body: string }[] };
  office.web.serve("hooks.test", async (req) => {
    hook.got.push({ headers: Object.fromEntries(req.headers), body: await req.text() });
    return new Response(null, { status: hook.status, headers: { location: "http://other.test/" } });
  });
  return hook;
}

Deno.test("hiding a listing sends its owner one email and one signed webhook with the reason", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env });
  const { project: { slug }, editKey } = await submit(app, {
    name: "Ink\u2019well",
    contactEmail: MAIL,
    notifyUrl: HOOK,
  });
  const own = { editKey };
  const { body: settings } = await app.json(`/api/v1/projects/${slug}/notices`, own);
  assertEquals(settings.channels, {
    email: { offered: true, isSet: true },
    webhook: { offered: true, isSet: true },
  });
  await operator(app, "listings", "hide", slug, "--reason", "spam");
  await operator(app, "listings", "hide", slug, "--reason", "spam");
  for (let i = 0; i < 3; i++) await deliver(app);
  assertEquals([office.mails.length, hook.got.length, await outbox(app)], [1, 1, []]);

  const [{ headers, body }] = hook.got as [(typeof hook.got)[0]];
  const { type, timestamp, data } = JSON.parse(body);
  assertEquals([type, timestamp], ["project.hidden", new Date(app.clock.now()).toISOString()]);
  assertEquals([data.slug, data.name, data.reason], [slug, "Ink\u2019well", "spam"]);
  assertEquals(headers["content-type"], "application/json");
  assertMatch(headers["user-agent"]!, /^projectory-fetcher\/1 /);
  const signed = new Webhook(settings.webhookSecret).sign(
    headers["webhook-id"]!,
    new Date(Number(headers["webhook-timestamp"]) * 1_000),
    body,
  );
  assertEquals(headers["webhook-signature"], signed);

  const [mail] = office.mails as [(typeof office.mails)[0]];
  assertEquals(mail.to, MAIL);
  assertEquals(mail.header("Message-ID"), `<${headers["webhook-id"]!.slice(4)}@projectory.test>`);
  assertEquals(mail.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
  assertEquals(mail.header("From"), "Projectory <hello@projectory.test>");
  assertMatch(mail.text, /Reason: spam/);
});

Deno.test("a Standard Webhooks verifier accepts what we send and rejects a modified body", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env, now: Date.now() });
  const { project: { slug }, editKey } = await submit(app, { notifyUrl: HOOK });
  const own = { editKey };
  const { webhookSecret } = (await app.json(`/api/v1/projects/${slug}/notices`, own)).body;
  await operator(app, "listings", "rekey", slug);
  await deliver(app);
  // The owner of the old key is notified of the new one, signed with the old secret.
  const [{ headers, body }] = hook.got as [(typeof hook.got)[0]];
  const wh = new Webhook(webhookSecret);
  assertEquals((wh.verify(body, headers) as { type: string }).type, "project.key_replaced");
  assertThrows(() => wh.verify(body.replace("key_replaced", "hidden"), headers));
});

Deno.test("a failing receiver is retried with growing delays under one id, until it succeeds once", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env });
  const { project: { slug } } = await submit(app, { contactEmail: MAIL, notifyUrl: HOOK });
  hook.status = 500;
  office.refusal = 450;
  await operator(app, "listings", "hide", slug);
  for (const [i, wait] of [0, 1, 2, 4].entries()) {
    app.clock.advance(wait * MINUTE_MS - 1);
    await deliver(app);
    assertEquals(hook.got.length, i, "too early");
    app.clock.advance(1);
    await deliver(app);
    assertEquals(hook.got.length, i + 1);
  }
  assertEquals(await outbox(app), [["email", 4], ["webhook", 4]]);
  hook.status = 200;
  office.refusal = 0;
  app.clock.advance(HOUR_MS);
  for (let i = 0; i < 3; i++) await deliver(app);
  assertEquals([office.mails.length, hook.got.length, await outbox(app)], [1, 5, []]);
  assertEquals(new Set(hook.got.map(({ headers }) => headers["webhook-id"])).size, 1);
});

Deno.test("a notice is dropped after two days, with a log line that has no address", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  // deno-lint-ignore no-explicit-any -- lines of the log are of any shape
  const lines: any[] = [];
  await using app = await testApp({ env: office.env });
  const note = (...line: unknown[]) => void lines.push(line);
  app.deps.log = { debug: note, info: note, warn: note, error: note };
  const { project: { slug } } = await submit(app, { contactEmail: MAIL, notifyUrl: HOOK });
  hook.status = 302;
  office.refusal = 451;
  await operator(app, "listings", "hide", slug);
  for (let hour = 0; hour < 60; hour++) {
    await deliver(app);
    app.clock.advance(HOUR_MS);
  }
  assertEquals(await outbox(app), []);
  const given = lines.filter(([event]) => event === "notice_given_up").map(([, fields]) => fields);
  assertEquals(given.sort((a, b) => a.channel < b.channel ? -1 : 1), [
    { slug, event: "hidden", channel: "email", error: "SMTP 451" },
    { slug, event: "hidden", channel: "webhook", error: "status 302" },
  ]);
  assertEquals(new Set(office.web.requests.map(({ path }) => path)), new Set(["/in?key=private"]));
  assert(hook.got.length < 20 && office.mails.length === 0, `${hook.got.length} tries`);
});

Deno.test("a 410 webhook and an address that the mail server rejects are not retried", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env });
  const { project: { slug } } = await submit(app, { contactEmail: MAIL, notifyUrl: HOOK });
  hook.status = 410;
  office.refusal = 550;
  await operator(app, "listings", "hide", slug);
  await deliver(app);
  assertEquals([hook.got.length, await outbox(app)], [1, []]);
});

Deno.test("no webhook goes into a private network", async () => {
  await using office = await PostOffice.open();
  receiver(office);
  Object.assign(office.web.names, { "inside.test": ["10.0.0.7"], "local.test": ["::1"] });
  await using app = await testApp({ env: office.env });
  const givenUp = new Map<string, string>();
  app.deps.log.warn = (_event, fields) => givenUp.set(fields!.slug as string, `${fields!.error}`);
  for (const notifyUrl of ["http://127.0.0.1/", "http://[::1]/"]) {
    const json = { name: "Inside", url: "https://a.example", tagline: "x", notifyUrl };
    const { body } = await app.json("/api/v1/projects", { json });
    assertEquals(body.error.details[0].field, "notifyUrl");
  }
  for (
    const [notifyUrl, problem] of [
      ["http://inside.test/", "private_address"],
      ["http://local.test/", "private_address"],
      ["http://hooks.test:8080/", "bad_url"],
    ] as const
  ) {
    const { project: { slug } } = await submit(app, { notifyUrl });
    await operator(app, "listings", "hide", slug);
    await deliver(app);
    assertEquals(await outbox(app), [["webhook", 1]], notifyUrl);
    app.clock.advance(3 * DAY_MS);
    await deliver(app);
    assertEquals([await outbox(app), givenUp.get(slug)], [[], problem], notifyUrl);
  }
  assertEquals(office.web.routes, []);
});

Deno.test("a listing gets up to ten notices a day, plus critical ones", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env });
  const { project: { slug } } = await submit(app, { contactEmail: MAIL, notifyUrl: HOOK });
  const tell = (event: NoticeEvent = { type: "link_gone", url: HOOK }) =>
    app.deps.store.transact((tx) => notify(tx, slug, event));
  for (let i = 0; i < 12; i++) await tell();
  await deliver(app);
  await deliver(app);
  assertEquals([office.mails.length, hook.got.length], [10, 10]);
  await operator(app, "listings", "hide", slug);
  await tell({ type: "key_replaced" });
  await tell({ type: "verification_lapsed", domain: "example.com" });
  await tell();
  await deliver(app);
  await deliver(app);
  assertEquals([office.mails.length, hook.got.length], [13, 13]);
  app.clock.advance(DAY_MS);
  await tell();
  await deliver(app);
  assertEquals([office.mails.length, hook.got.length], [14, 14]);
});

Deno.test("removed, forgotten and withdrawn addresses get nothing and aren't kept", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env });
  const fields = { contactEmail: MAIL, notifyUrl: HOOK };
  const [cleared, forgotten, withdrawn] = [
    await submit(app, fields),
    await submit(app, { ...fields, submittedBy: "Forgotten" }),
    await submit(app, fields),
  ];
  for (const { project: { slug } } of [cleared, forgotten, withdrawn]) {
    await app.deps.store.transact(async (tx) => {
      await notify(tx, slug, { type: "link_gone", url: "https://example.com/" });
      if (slug !== cleared.project.slug) await notify(tx, slug, { type: "key_replaced" });
    });
  }
  const owner = (made: typeof cleared) => ({ editKey: made.editKey });
  await app.json(`/api/v1/projects/${cleared.project.slug}`, {
    method: "PATCH",
    json: { contactEmail: null, notifyUrl: null },
    ...owner(cleared),
  });
  await operator(app, "forget", "name", "Forgotten");
  await app.json(`/api/v1/projects/${withdrawn.project.slug}`, {
    method: "DELETE",
    ...owner(withdrawn),
  });
  await deliver(app);
  assertEquals([office.mails.length, hook.got.length, await outbox(app)], [0, 0, []]);
  const stored = await Array.fromAsync(app.deps.store.list({ prefix: [] }), ({ value }) => value);
  assert(
    !JSON.stringify(stored, (_, value) => typeof value === "bigint" ? 0 : value)
      .includes("hooks.test"),
  );
});

Deno.test("the previous owner is notified of a new key, even after the listing drops their address", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env });
  const { project: { slug } } = await submit(app, { contactEmail: MAIL, notifyUrl: HOOK });
  await app.deps.store.transact(async (tx) => {
    const { key, value } = await tx.get<StoredListing>(listingKeys.one(slug));
    await notify(tx, slug, { type: "key_replaced" });
    tx.set(key, { ...value, keyHash: "another", contactEmail: null, notifyUrl: null });
  });
  await deliver(app);
  assertEquals([office.mails.map(({ to }) => to), hook.got.length], [[MAIL], 1]);
});

Deno.test("email isn't offered without a mail server, nor webhooks without a fetcher", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  const { FETCHER_PORT } = office.env as { FETCHER_PORT: string };
  for (const env of [{}, { FETCHER_PORT }] as Record<string, string>[]) {
    await using app = await testApp({ env });
    const form = await app.text("/submit");
    assert(!/email you/.test(form));
    assertEquals(/name="notifyUrl"/.test(form), "FETCHER_PORT" in env);
    const { project: { slug }, editKey } = await submit(app, {
      contactEmail: MAIL,
      notifyUrl: HOOK,
    });
    const { body } = await app.json(`/api/v1/projects/${slug}/notices`, { editKey });
    assertEquals(body.channels.email, { offered: false, isSet: true });
    assertEquals(body.channels.webhook.offered, "FETCHER_PORT" in env);
    await operator(app, "listings", "hide", slug);
    await deliver(app);
    assertEquals([office.mails.length, hook.got.length], [0, "FETCHER_PORT" in env ? 1 : 0]);
  }
});

Deno.test("a run with nothing due reads only one key", async () => {
  await using office = await PostOffice.open();
  let reads = 0;
  const plain = await Deno.openKv(":memory:");
  const kv = kvWith(plain, {
    getMany: (keys) => (reads += keys.length, plain.getMany<unknown[]>(keys)),
    list: (selector, options) => (reads++, plain.list(selector, options)),
  });
  await using app = await testApp({ env: office.env, kv });
  const run = () => JOB.run(app.deps, app.clock.now());
  await run();
  reads = 0;
  for (let i = 0; i < 3; i++) {
    assertEquals(await run(), false);
    app.clock.advance(DAY_MS);
  }
  assertEquals(reads, 3);
});

Deno.test("a notice dated far ahead by a fast clock isn't retried until then", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env });
  const { project: { slug } } = await submit(app, { notifyUrl: HOOK });
  hook.status = 500;
  const now = app.clock.now();
  app.clock.advance(365 * DAY_MS);
  await operator(app, "listings", "hide", slug);
  app.clock.set(now);
  await deliver(app);
  assertEquals([hook.got.length, await outbox(app)], [1, []]);
});

Deno.test("a notice from before the clock was set back by a day is tried again if its first try fails", async () => {
  await using office = await PostOffice.open();
  const hook = receiver(office);
  await using app = await testApp({ env: office.env });
  const { project: { slug } } = await submit(app, { notifyUrl: HOOK });
  hook.status = 500;
  await operator(app, "listings", "hide", slug);
  app.clock.advance(-DAY_MS);
  await deliver(app);
  hook.status = 200;
  app.clock.advance(MINUTE_MS);
  await deliver(app);
  assertEquals([hook.got.length, await outbox(app)], [2, []]);
});
