import { assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { HOLDER_DAY_CAPS, LIMITS, RATE_LIMITS } from "@/lib/limits.ts";
import { testApp, type TestRequest } from "../support/app.ts";
import { listingBody } from "../support/listings.ts";
import { skillBody } from "../support/skills.ts";
import { BROWSER } from "../support/user_agents.ts";

/** The i-th network (/64) of one IPv6 /48. */
const inOne48 = (i: number) => `2001:db8:77:${i.toString(16)}::1`;

/** What is sent to the path of an operation. */
type Sent = [path: string, request: TestRequest];

const ballot = (json: unknown, agentName?: string): Sent => [
  "/api/v1/poll/vote",
  { json, headers: agentName === undefined ? {} : { "x-agent-name": agentName } },
];

const CASES: {
  what: string;
  cap: number;
  /** How many one network can send in an hour. */
  anHour: number;
  /** The address of the i-th request; by default always the same. */
  address?(i: number): string;
  send(i: number): Sent;
  whose: string;
}[] = [
  {
    what: "ballots from one IPv4 address with changing browsers",
    cap: HOLDER_DAY_CAPS.ballots,
    anHour: RATE_LIMITS.pollVotes,
    send: (
      i,
    ) => ["/api/v1/poll/vote", { json: { candidate: "claude" }, userAgent: `${BROWSER} ${i}` }],
    whose: "Too many poll ballots from this network (limit: 100 a day)",
  },
  {
    what: "ballots by AI agents from one IPv6 /48",
    cap: HOLDER_DAY_CAPS.ballots,
    anHour: LIMITS.agentsPerNetworkDay,
    address: (i) => inOne48(Math.floor(i / LIMITS.agentsPerNetworkDay)),
    send: (i) => ballot({ candidate: "claude" }, `Agent ${i}`),
    whose: "Too many poll ballots from this IPv6 /48 (limit: 100 a day)",
  },
  {
    what: "new write-in names from one IPv4 address",
    cap: HOLDER_DAY_CAPS.writeIns,
    anHour: RATE_LIMITS.pollVotes,
    send: (i) => ballot({ candidate: "other", writeIn: `Model ${i}` }, `Agent ${i}`),
    whose: "Too many new write-in names from this network (limit: 10 a day)",
  },
  {
    what: "check-ins from one IPv6 /48",
    cap: HOLDER_DAY_CAPS.checkIns,
    anHour: LIMITS.agentsPerNetworkDay,
    address: (i) => inOne48(Math.floor(i / LIMITS.agentsPerNetworkDay)),
    send: (i) => ["/api/v1/guestbook", { json: { agentName: `Agent ${i}`, catchphrase: "Here" } }],
    whose: "Too many new guestbook names from this IPv6 /48 (limit: 100 a day)",
  },
  {
    what: "submissions from one IPv6 /48",
    cap: HOLDER_DAY_CAPS.submissions,
    anHour: RATE_LIMITS.submissions,
    address: (i) => inOne48(Math.floor(i / RATE_LIMITS.submissions)),
    send: () => ["/api/v1/projects", { json: listingBody() }],
    whose: "Too many project submissions from this IPv6 /48 (limit: 120 a day)",
  },
  {
    what: "skills from one IPv6 /48",
    cap: HOLDER_DAY_CAPS.skillSubmissions,
    anHour: RATE_LIMITS.skillSubmissions,
    address: (i) => inOne48(Math.floor(i / RATE_LIMITS.skillSubmissions)),
    send: () => ["/api/v1/skills", { json: skillBody() }],
    whose: "Too many skill submissions from this IPv6 /48 (limit: 120 a day)",
  },
];

for (const { what, cap, anHour, address = () => "198.51.100.1", send, whose } of CASES) {
  Deno.test(`${what}: exactly ${cap} count per UTC day, then 429 until the next day`, async () => {
    await using app = await testApp({ now: "2026-03-04T00:00:00Z" });
    const ask = ([path, request]: Sent, from: string) =>
      app.json(path, { ...request, address: from });
    for (let i = 0; i < cap; i++) {
      // The request must not be refused by a network's hourly limit.
      if (i > 0 && address(i) === address(i - anHour) && i % anHour === 0) {
        app.clock.advance(HOUR_MS);
      }
      const { status, body } = await ask(send(i), address(i));
      assertEquals(Math.floor(status / 100), 2, JSON.stringify(body));
    }
    app.clock.advance(HOUR_MS);
    const { status, headers, body } = await ask(send(cap), address(cap));
    assertEquals([status, body.error.code], [429, "rate_limited"]);
    assertStringIncludes(body.error.message, whose);
    const retryAfterSeconds = (DAY_MS - app.clock.now() % DAY_MS) / 1000;
    assertEquals(body.error.details, { limit: cap, windowSeconds: 86_400, retryAfterSeconds });
    assertEquals(headers.get("retry-after"), String(retryAfterSeconds));
    const elsewhere = await ask(send(cap), "203.0.113.50");
    assertEquals(Math.floor(elsewhere.status / 100), 2, "another holder has its own cap");
    app.clock.advance(DAY_MS);
    const nextDay = await ask(send(cap + 1), address(cap));
    assertEquals(Math.floor(nextDay.status / 100), 2);
  });
}

Deno.test("one network can submit five projects every hour of a day, as the contract allows", async () => {
  await using app = await testApp({ now: "2026-03-04T00:00:00Z" });
  for (let i = 0; i < 120; i++) {
    if (i > 0 && i % 5 === 0) app.clock.advance(HOUR_MS);
    const sent = { json: listingBody(), address: inOne48(1) };
    assertEquals((await app.json("/api/v1/projects", sent)).status, 201);
  }
});

Deno.test("60 concurrent ballots from 60 networks of a /48 with 10 left: exactly 10 count", async () => {
  await using app = await testApp();
  const cast = (i: number) => {
    const [path, request] = ballot({ candidate: "claude" }, `Agent ${i}`);
    return app.json(path, { ...request, address: inOne48(i) });
  };
  for (let i = 0; i < 90; i++) await cast(i);
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => cast(100 + i)));
  assertEquals(answers.filter(({ status }) => status === 200).length, 10);
  assertEquals((await app.json("/api/v1/poll")).body.standings.today.totals.all, 100);
});
