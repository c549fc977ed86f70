import { assertEquals, assertStringIncludes } from "@std/assert";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { operator } from "../support/operator.ts";
import { share } from "../support/skills.ts";

async function exported(app: TestApp, ...args: string[]) {
  const { status, stdout, stderr } = await operator(app, "export", ...args);
  assertEquals([status, stderr], [0, ""], args.join(" "));
  for (const secret of ["keyHash", "network", "contentKey", "pik_"]) {
    assertEquals(stdout.includes(secret), false, secret);
  }
  return JSON.parse(stdout);
}

Deno.test("operator export prints all that is stored about an entry, name, domain or email address", async () => {
  await using app = await testApp();
  const headers = { "x-agent-name": "Ada" };
  const fields = {
    name: "One",
    url: "https://one.example",
    contactEmail: "Ada@One.example",
    notifyUrl: "https://one.example/hook",
    description: "Longer",
  };
  await submit(app, fields, { headers });
  await submit(app, { name: "Other" });
  await share(app, { author: "ada", origin: "original", sourceUrl: "https://www.one.example/s" });
  await app.json("/api/v1/projects/one/vote", { method: "POST" });
  await app.json("/api/v1/reports", { json: { kind: "listing", slug: "one", reason: "spam" } });
  await app.json("/api/v1/guestbook", { json: { agentName: "ADA", catchphrase: "Here" } });
  await app.json("/api/v1/poll/vote", { json: { candidate: "grok", reason: "Mine" }, headers });
  await operator(app, "listings", "hide", "one", "--reason", "spam");

  const { listings: [listing], ...others } = await exported(app, "listing", "one");
  assertEquals(others, {});
  for (const [field, value] of Object.entries(fields)) assertEquals(listing[field], value, field);
  assertEquals([listing.state, listing.submittedBy, listing.votes, listing.clicks], [
    "hidden",
    "Ada",
    1,
    0,
  ]);
  assertEquals(listing.createdAt, "2026-03-04T12:00:00.000Z");
  assertEquals(Object.values(listing.daily["2026-03-04"].votes).sort(), [0, 0, 1]);
  assertEquals([listing.bids, listing.renewals], [[], []]);
  assertEquals(listing.reports.map(({ reason }: { reason: string }) => reason), ["spam"]);
  assertEquals(
    listing.waitingNotices.map(({ to, event }: { to: string; event: { type: string } }) => [
      to,
      event.type,
    ]),
    [["Ada@One.example", "hidden"], ["https://one.example/hook", "hidden"]],
  );

  const { listings, skills, checkIns, ballots } = await exported(app, "name", "aDa");
  assertEquals(listings, [listing]);
  assertEquals([skills.length, skills[0].author], [1, "ada"]);
  assertStringIncludes(skills[0].content, " ");
  assertEquals([checkIns[0].day, checkIns[0].catchphrase], ["2026-03-04", "Here"]);
  assertEquals([ballots[0].day, ballots[0].reason], ["2026-03-04", "Mine"]);
  assertEquals(await exported(app, "skill", skills[0].slug), { skills });
  assertEquals(await exported(app, "domain", "one.example"), { listings, skills });
  assertEquals(await exported(app, "email", "ada@one.example"), { listings, skills: [] });

  const deleted = "ada@ONE.example: email, webhook and submitter's name deleted from 1 listing\n";
  const forget = (...more: string[]) =>
    operator(app, "forget", "email", "ada@ONE.example", ...more);
  assertStringIncludes((await forget("--dry-run")).stdout, deleted);
  assertEquals((await forget()).stdout, deleted);
  for (
    const [verb, value, message] of [
      ["email", "ada@one.example", "No listing has this email address"],
      ["name", "Bo", "Nothing found under the name Bo"],
      ["domain", "two.example", "Nothing found on the domain two.example"],
      ["listing", "nobody", "There is no listing with the slug nobody"],
    ] as const
  ) {
    for (const area of ["export", "forget"]) {
      const { status, stderr } = await operator(app, area, verb, value);
      assertEquals([status, stderr], [1, `Refused: ${message}\n`], `${area} ${verb}`);
    }
  }
});
