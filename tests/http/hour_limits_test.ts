import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { HOUR_MS } from "@/lib/clock.ts";
import { testApp, type TestRequest } from "../support/app.ts";
import { listingBody, submit } from "../support/listings.ts";
import { share, skillBody } from "../support/skills.ts";

/** A path, and what is sent to it. */
type Sent = [path: string, request: TestRequest];

interface Case {
  what: string;
  limit: number;
  /** The n-th request of a network. */
  send(n: number): Sent;
  /** What is refused for another reason, and so doesn't count. */
  uncounted?: Sent;
}

const PROJECT = "/api/v1/projects/inkwell";
const SKILL = "/api/v1/skills/changelog-writer";
const KEY = `pik_${"a".repeat(43)}`;
const ballot = { json: { candidate: "claude" } };
const patch = (editKey: string, json: unknown): TestRequest => ({ method: "PATCH", editKey, json });

// Links to payments and ownership checks are limited too; their own tests show that.
const CASES: Case[] = [
  {
    what: "project submissions",
    limit: 5,
    send: () => ["/api/v1/projects", { json: listingBody() }],
    uncounted: ["/api/v1/projects", { json: listingBody({ url: "nonsense" }) }],
  },
  {
    what: "skill submissions",
    limit: 5,
    send: () => ["/api/v1/skills", { json: skillBody() }],
    uncounted: ["/api/v1/skills", { json: skillBody({ kind: "poem" }) }],
  },
  {
    what: "project votes",
    limit: 120,
    send: (n) => [`${PROJECT}/vote`, { method: n % 2 ? "DELETE" : "POST" }],
  },
  {
    what: "skill votes",
    limit: 120,
    send: (n) => [`${SKILL}/vote`, { method: n % 2 ? "DELETE" : "POST" }],
  },
  {
    what: "skill installs and copies",
    limit: 120,
    send: () => [`${SKILL}/copy`, { method: "POST" }],
  },
  {
    what: "poll votes",
    limit: 30,
    send: () => ["/api/v1/poll/vote", ballot],
    uncounted: ["/api/v1/poll/vote", { json: { candidate: "nobody" } }],
  },
  {
    what: "guestbook check-ins",
    limit: 60,
    send: () => ["/api/v1/guestbook", { json: { agentName: "Scout", catchphrase: "Here" } }],
  },
  {
    what: "edits",
    limit: 60,
    send: (n) =>
      n % 2 ? [PROJECT, patch(KEY, { tagline: `${n}` })] : [SKILL, patch(KEY, { title: `${n}` })],
  },
  {
    what: "wrong edit keys",
    limit: 20,
    // The right key doesn't help once there were too many wrong ones.
    send: (n) => [PROJECT, patch(n < 20 ? `pik_${n}` : KEY, { tagline: "New" })],
    uncounted: [PROJECT, { method: "PATCH", json: { tagline: "New" } }],
  },
  {
    what: "reports",
    limit: 10,
    send:
      () => ["/api/v1/reports", { json: { kind: "listing", slug: "inkwell", reason: "other" } }],
  },
];

for (const { what, limit, send, uncounted } of CASES) {
  Deno.test(`${what}: a network can send ${limit} in a rolling hour, whatever its user agents`, async () => {
    await using app = await testApp({ now: "2026-03-04T12:01:00Z" });
    await submit(app, { name: "Inkwell", editKey: KEY });
    await share(app, { editKey: KEY });
    const ask = async (n: number, [path, request] = send(n), address = "198.51.100.1") => {
      const userAgent = `agent ${n % 20}`;
      const { headers, body } = await app.json(path, { ...request, address, userAgent });
      return { headers, error: body.error ?? { code: "none" } };
    };
    for (let n = 0; n < limit; n++) {
      if (uncounted) assertNotEquals((await ask(n, uncounted)).error.code, "none");
      assertNotEquals((await ask(n)).error.code, "rate_limited");
    }
    const { headers, error } = await ask(limit);
    const details = { limit, windowSeconds: 3600, retryAfterSeconds: 3600 };
    assertEquals([error.code, error.details], ["rate_limited", details]);
    const rule = `Too many ${what} from this network (limit: ${limit} an hour).`;
    assertEquals(error.message, `${rule} Try again in 60 minutes`);
    assertEquals(headers.get("retry-after"), "3600");
    assertMatch(headers.get("ratelimit-policy")!, new RegExp(`^"\\w+";q=${limit};w=3600$`));
    assertMatch(headers.get("ratelimit")!, /^"\w+";r=0;t=3600$/);
    const elsewhere = await ask(limit, send(limit), "198.51.100.2");
    assertNotEquals(elsewhere.error.code, "rate_limited");
    app.clock.advance(HOUR_MS - 1);
    assertEquals((await ask(limit)).error.code, "rate_limited");
    app.clock.advance(1);
    assertEquals((await ask(limit)).error.code, "none");
  });
}
