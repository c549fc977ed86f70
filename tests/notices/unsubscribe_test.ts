import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { jobs, runJob } from "@/lib/app/crons.ts";
import { noticeKeys } from "@/lib/notices/keys.ts";
import { notify } from "@/lib/notices/outbox.ts";
import { unsubscribePath } from "@/lib/notices/unsubscribe.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { PostOffice } from "../support/post_office.ts";

const JOB = jobs.find(({ name }) => name === "deliver-notices")!;
const MAIL = "ada@inkwell.test";

async function tell(app: TestApp, slug: string): Promise<void> {
  await app.deps.store.transact((tx) => notify(tx, slug, { type: "key_replaced" }));
  await runJob(app.deps, JOB);
}

Deno.test("one click ends all emails to an address in any spelling, and another resumes them", async () => {
  await using office = await PostOffice.open();
  await using app = await testApp({ env: office.env });
  const one = (await submit(app, { contactEmail: MAIL })).project.slug;
  const other = (await submit(app, { contactEmail: MAIL.toUpperCase() })).project.slug;
  const neighbor = (await submit(app, { contactEmail: `not-${MAIL}` })).project.slug;
  await tell(app, one);
  const link = /^<(.*)>$/.exec(office.mails[0]!.header("List-Unsubscribe")!)![1]!;
  assert(!/ada|inkwell/.test(link), link);
  assert(office.mails[0]!.text.replaceAll("=\r\n", "").replaceAll("=3D", "=").includes(link));
  const path = link.slice(app.deps.urls.base.length);

  // A link scanner doesn't unsubscribe anyone.
  const page = await app.text(path);
  assertMatch(page, /<button type="submit"[^>]*>Unsubscribe</);
  assert(!page.includes(MAIL));
  await tell(app, one);
  assertEquals(office.mails.length, 2);

  // RFC 8058: email programs should send it as multipart/form-data, and may encode it like a form.
  const oneClick = new FormData();
  oneClick.append("List-Unsubscribe", "One-Click");
  const encoded = { form: { "List-Unsubscribe": "One-Click" } };
  for (const init of [{ method: "POST", body: oneClick }, encoded]) {
    const response = await app.request(path, init);
    assertEquals(response.status, 200);
    assertMatch(await response.text(), /You are unsubscribed/);
  }
  for (const slug of [one, other, neighbor]) await tell(app, slug);
  assertEquals(office.mails.slice(2).map(({ to }) => to), [`not-${MAIL}`]);

  const unsubscribed = await app.text(path);
  const resume = /action="([^"]*resume[^"]*)"/.exec(unsubscribed)![1]!.replaceAll("&amp;", "&");
  await app.request(resume, { form: {} });
  await tell(app, one);
  assertEquals(office.mails.length, 4);
  assertStringIncludes(await app.text("/privacy"), "a salted hash of your email address");
});

Deno.test("an address has one unsubscribe link, whether its domain is in Unicode or Punycode", async () => {
  await using app = await testApp();
  const pathOf = (address: string) => unsubscribePath(app.deps.identity, address);
  assertEquals(pathOf("ada@Bücher.example"), pathOf("ada@xn--bcher-kva.example"));
});

Deno.test("an invalid token unsubscribes nobody and stores nothing", async () => {
  await using app = await testApp();
  for (const token of ["", "x", "a".repeat(65), "\u0000", "a".repeat(5_000)]) {
    const path = `/unsubscribe?token=${encodeURIComponent(token)}`;
    for (const init of [{}, { form: { a: "b" } }]) {
      assertEquals((await app.request(path, init)).status, 404, token);
    }
  }
  const { store } = app.deps;
  assertEquals(
    await Array.fromAsync(store.list({ prefix: noticeKeys.optOut("").slice(0, 1) })),
    [],
  );
});
