import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { storedAuctionDates } from "@/lib/auctions/calendar.ts";
import { type HistoryEntry, nextEntry } from "@/lib/auctions/history.ts";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import { newAuction } from "@/lib/auctions/settle.ts";
import { verify } from "@/lib/backup/verify.ts";
import { candidates } from "@/lib/catalog/poll_candidates.ts";
import { addDays, DAY_MS } from "@/lib/clock.ts";
import { guestbookKeys } from "@/lib/guestbook/keys.ts";
import { type KvLike, Store } from "@/lib/kv/store.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { freeUrl, moveListing } from "@/lib/operator/listings.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import type { StoredBallot } from "@/lib/poll/schema.ts";
import { skillKeys } from "@/lib/skills/keys.ts";
import { sha256 } from "@/lib/text/digest.ts";
import { nameKey } from "@/lib/text/name_key.ts";
import { urlKey } from "@/lib/text/url_identity.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { kvListing, kvWith } from "../support/kv_with.ts";
import { addressOf, submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

const DAY = "2026-03-04";
const EARLIER = "Answer in one sentence.";
const AUCTION = "front-row-2026-03-02";

/** A small directory with one of everything that has a counter or an index. */
async function filled(): Promise<TestApp> {
  const app = await testApp();
  await submit(app, { name: "Whole", url: "https://whole.example.com" });
  for (const address of ["198.51.100.1", "198.51.100.2"]) {
    await app.json("/api/v1/projects/whole/vote", { method: "POST", address });
    await app.json("/api/v1/poll/vote", { json: { candidate: "claude", reason: "ok" }, address });
  }
  const { editKey } = await share(app, { title: "Whole", kind: "prompt", content: EARLIER });
  await app.json("/api/v1/skills/whole", {
    method: "PATCH",
    json: { content: "Answer in two sentences." },
    editKey,
  });
  await app.json("/api/v1/skills/whole/vote", { method: "POST" });
  await app.json("/api/v1/poll/vote", {
    json: { candidate: "claude" },
    headers: { "x-agent-name": "Ada" },
  });
  await app.json("/api/v1/guestbook", { json: { agentName: "Ada", catchphrase: "Hello" } });
  return app;
}

const run = (app: TestApp, repair: boolean) => verify(app.deps.store, { repair });

Deno.test("verify finds nothing wrong in a directory that only the service has written", async () => {
  await using app = await filled();
  const ended = newAuction(storedAuctionDates("front-row-2026-02-23"));
  await app.deps.store.kv.atomic().set(auctionKeys.one(ended.id), ended).commit();
  const checked: string[] = [];
  const progress = (line: string) => checked.push(line);
  assertEquals(await verify(app.deps.store, { progress }), []);
  assertEquals(checked, [
    "listings: 1",
    "reserved URLs: 1",
    "skills: 1",
    "reserved contents: 1",
    "versions of skills: 1",
    "ballots: 3",
    "poll reasons: 2",
    "check-ins: 1",
    "auctions: 1",
  ]);
});

Deno.test("verify reads each ballot only once if the tallies are right", async () => {
  const kv = await Deno.openKv(":memory:");
  const ballots = 200;
  for (let i = 0; i < ballots; i++) {
    const day = addDays(DAY, i % 10);
    const candidateId = candidates[i % candidates.length]!.slug;
    await kv.atomic()
      .set(pollKeys.ballot(day, `voter-${i}`), { candidateId, voterClass: "human" })
      .sum(pollKeys.tally(day, "human", candidateId, "up"), 1n)
      .commit();
  }
  let read = 0;
  const counting = kvListing(kv, ({ key }) => {
    if (key[0] === pollKeys.allBallots[0]) read++;
  });
  const store = new Store(counting, fixedClock(`${DAY}T00:00:00Z`));
  assertEquals(await verify(store), []);
  assertEquals(read, ballots);
  store.close();
});

type Damage = (op: Deno.AtomicOperation, app: TestApp) => unknown;
const whole = listingKeys.byUrl(urlKey("https://whole.example.com"));
const contentKey = async (app: TestApp) => {
  const { value } = await app.deps.store.get<{ contentKey: string }>(skillKeys.one("whole"));
  return skillKeys.byContent(value!.contentKey);
};

for (
  const [what, said, damage] of [
    [
      "a count above the stored votes",
      "vote count of listing whole is 5, but should be 2",
      (op) => void op.sum(voteKeys.count("listing", "whole", "up"), 3n),
    ],
    [
      "a count below the stored votes",
      "vote count of listing whole is 1, but should be 2",
      (op) => void op.sum(voteKeys.count("listing", "whole", "down"), 1n),
    ],
    [
      "a vote without its count",
      "vote count of skill whole is 1, but should be 2",
      (op) => void op.set(voteKeys.vote("skill", "whole", "someone"), 1),
    ],
    [
      "a listing whose URL isn't reserved",
      "The URL of listing whole is reserved for nobody, not for whole",
      (op) => void op.delete(whole),
    ],
    [
      "a URL reserved for nobody",
      "A URL is reserved for nobody, which has a different one",
      (op) => void op.set(listingKeys.byUrl("digest"), "nobody"),
    ],
    [
      "a second URL reserved for a listing",
      "A URL is reserved for whole, which has a different one",
      (op) => void op.set(listingKeys.byUrl("digest"), "whole"),
    ],
    [
      "a skill whose content isn't reserved",
      "The content of skill whole is reserved for nobody",
      async (op, app) => void op.delete(await contentKey(app)),
    ],
    [
      "a tally above its ballots",
      `The ballot count of grok (ai_agent) on ${DAY} is 1, but should be 0`,
      (op) => void op.sum(pollKeys.tally(DAY, "ai_agent", "grok", "up"), 1n),
    ],
    [
      "a reason without a ballot",
      "Reason zzz is public without a ballot",
      (op) => void op.set(pollKeys.reason("zzz"), { day: DAY, voter: "nobody" }),
    ],
    ["a private reason that is public", "is public without a ballot", async (op, app) => {
      const ballots = await Array.fromAsync(
        app.deps.store.list<StoredBallot>({ prefix: pollKeys.allBallots }),
      );
      const ballot = ballots.find(({ value }) => value.reason !== null);
      op.set(ballot!.key, { ...ballot!.value, reasonPrivate: true });
    }],
    [
      "a wrong total of check-ins",
      "The check-in count of Ada is 9, but should be 1",
      async (op, app) => {
        const [agent] = await Array.fromAsync(
          app.deps.store.list<{ total: number }>({ prefix: guestbookKeys.agents }),
        );
        op.set(agent!.key, { ...agent!.value, total: 9 });
      },
    ],
    [
      "days without check-ins",
      "The days of Ada don't match its check-ins",
      async (op, app) => {
        const [agent] = await Array.fromAsync(
          app.deps.store.list<object>({ prefix: guestbookKeys.agents }),
        );
        op.set(agent!.key, { ...agent!.value, runs: [[5, 6]] });
      },
    ],
    ["a check-in that isn't shown", `A check-in on ${DAY} is not shown`, async (op, app) => {
      const [recent] = await Array.fromAsync(
        app.deps.store.list({ prefix: guestbookKeys.allRecent }),
      );
      op.delete(recent!.key);
    }],
    ["a reason that isn't shown", "is public but not shown", async (op, app) => {
      const [reason] = await Array.fromAsync(app.deps.store.list({ prefix: pollKeys.reasons }));
      op.delete(reason!.key);
    }],
    [
      "an agent's count above its ballots",
      `on ${DAY} is 6, but should be 1`,
      (op) => void op.sum(pollKeys.agentVotes(DAY, nameKey("Ada")), 5n),
    ],
    [
      "an agent's count below its ballots",
      `on ${DAY} is 0, but should be 1`,
      (op) => void op.set(pollKeys.agentVotes(DAY, nameKey("ADA")), new Deno.KvU64(0n)),
    ],
    [
      "a recent check-in that isn't stored",
      `A check-in on ${DAY} is shown but not stored`,
      (op) => void op.set(guestbookKeys.recent(5, "nobody"), DAY),
    ],
    [
      "a version without content",
      "Skill whole lists 1 version without content",
      (op) => void op.delete(skillKeys.version("whole", sha256(EARLIER, "hex"))),
    ],
    [
      "a version missing from its skill's list",
      "Skill whole has a version that isn't in its list",
      (op) =>
        void op.set(skillKeys.version("whole", sha256("Never listed", "hex")), "Never listed"),
    ],
    [
      "a version stored under the wrong digest",
      "A version of skill whole has a different SHA-256 than its key",
      (op) => void op.set(skillKeys.version("whole", sha256("One", "hex")), "Another"),
    ],
    ["a hidden check-in that is shown", `A check-in on ${DAY} is shown`, async (op, app) => {
      const { store } = app.deps;
      const [agent] = await Array.fromAsync(store.list<object>({ prefix: guestbookKeys.agents }));
      const [checkIn] = await Array.fromAsync(
        store.list<object>({ prefix: guestbookKeys.allCheckIns }),
      );
      op.set(agent!.key, { ...agent!.value, total: 0, runs: [] });
      op.set(checkIn!.key, { ...checkIn!.value, hidden: true });
    }],
  ] as [string, string, Damage][]
) {
  Deno.test(`verify reports ${what}, repairs it on request, and then finds nothing`, async () => {
    await using app = await filled();
    const operation = app.deps.store.kv.atomic();
    await damage(operation, app);
    await operation.commit();
    const seen = await run(app, false);
    assertEquals(seen.length, 1, JSON.stringify(seen));
    assertStringIncludes(seen[0]!.what, said);
    assertEquals(seen[0]!.repaired, false);
    const mended = await run(app, true);
    assertEquals(mended.map(({ repaired }) => repaired), [true]);
    assertEquals(await run(app, false), []);
  });
}

/** A KV in which `write` runs right after keys that begin with `first` are first read. */
function writtenAfter(kv: KvLike, first: string, write: () => Promise<unknown>): KvLike {
  let isDue = true;
  const writeOnce = async () => {
    if (!isDue) return;
    isDue = false;
    await write();
  };
  return kvWith(kv, {
    async *list(range, options) {
      yield* kv.list(range, options);
      if (range.prefix[0] === first) await writeOnce();
    },
    async getMany(keys) {
      const entries = await kv.getMany(keys);
      if (keys[0]![0] === first) await writeOnce();
      return entries;
    },
  });
}

Deno.test("verify accepts a record whose old runs are no longer kept", async () => {
  const kv = await Deno.openKv(":memory:");
  const record = { agentName: "Ada", family: "other", runs: [[20516, 20516]], total: 2 };
  await kv.set(guestbookKeys.agent("ada"), record);
  for (const [i, day] of [addDays(DAY, -500), DAY].entries()) {
    await kv.set(guestbookKeys.checkIn(day, "ada"), { hidden: false, signedAt: i });
    await kv.set(guestbookKeys.recent(i, "ada"), day);
  }
  const store = new Store(kv, fixedClock(`${DAY}T00:00:00Z`));
  assertEquals(await verify(store), []);
  store.close();
});

Deno.test("verify doesn't reserve a hidden listing's URL that the operator freed", async () => {
  await using app = await filled();
  await moveListing(app.deps, { slug: "whole", step: "hide" });
  await freeUrl(app.deps, "whole");
  assertEquals(await run(app, true), []);
  assertEquals((await app.deps.store.get(whole)).value, null);
});

Deno.test("verify makes one commit per repair, and no others", async () => {
  await using app = await filled();
  const { kv, clock } = app.deps.store;
  await kv.atomic().sum(voteKeys.count("listing", "whole", "up"), 3n).delete(whole).commit();
  let commits = 0;
  const counting = kvWith(kv, {
    commit(land) {
      commits++;
      return land();
    },
  });
  const store = new Store(counting, clock);
  const differences = await verify(store, { repair: true });
  assertEquals([differences.length, commits], [2, 2]);
});

Deno.test("verify reads each check-in only once, however many totals are wrong", async () => {
  const kv = await Deno.openKv(":memory:");
  for (let i = 0; i < 30; i++) {
    const name = `name-${i % 10}`;
    const [day, hidden] = [addDays(DAY, i / 10 | 0), i === 0];
    await kv.set(guestbookKeys.checkIn(day, name), { hidden, signedAt: i });
    if (!hidden) await kv.set(guestbookKeys.recent(i, name), day);
    await kv.set(guestbookKeys.agent(name), { agentName: name, total: 9 });
  }
  let read = 0;
  const counting = kvListing(kv, ({ key }) => {
    if (key[0] === guestbookKeys.allCheckIns[0]) read++;
  });
  const store = new Store(counting, fixedClock(`${DAY}T00:00:00Z`));
  const differences = await verify(store, { repair: true });
  assertEquals([differences.length, read], [10, 30]);
  const totals = await Array.fromAsync(
    kv.list<{ total: number }>({ prefix: guestbookKeys.agents }),
  );
  assertEquals(totals.map(({ value }) => value.total), [2, ...Array(9).fill(3)]);
  store.close();
});

for (
  const [when, sooner, later] of [
    ["", 0, 0],
    [", and the day ends", 0, DAY_MS],
    [", on a new day", DAY_MS, 0],
  ] as const
) {
  Deno.test(`verify keeps a check-in that arrives while it counts${when}`, async () => {
    await using app = await filled();
    app.clock.advance(DAY_MS);
    const signs = async () => {
      app.clock.advance(sooner);
      await app.json("/api/v1/guestbook", { json: { agentName: "Ada", catchphrase: "Again" } });
      app.clock.advance(later);
    };
    const kv = writtenAfter(app.deps.store.kv, "guestbook_check_ins", signs);
    const store = new Store(kv, app.clock);
    assertEquals(await verify(store, { repair: true }), []);
    const { body } = await app.json("/api/v1/guestbook");
    assertEquals(body.leaderboard.all.map(({ checkIns }: { checkIns: number }) => checkIns), [2]);
  });
}

for (const repair of [false, true]) {
  Deno.test(`verify ${repair ? "with" : "without"} repairs doesn't report a vote that arrives while it counts`, async () => {
    await using app = await filled();
    const votes = () =>
      app.json("/api/v1/projects/whole/vote", { method: "POST", address: addressOf(3) });
    const kv = writtenAfter(app.deps.store.kv, "listing_vote_counts", votes);
    const store = new Store(kv, app.clock);
    assertEquals(await verify(store, { repair }), []);
  });
}

for (
  const [count, more, found] of [
    ["right", 0n, []],
    ["wrong and reported", 40n, [false, true]],
  ] as const
) {
  Deno.test(`verify finishes even if a vote arrives on every count: the count is ${count}`, async () => {
    await using app = await filled();
    const { kv } = app.deps.store;
    const damage = kv.atomic().sum(voteKeys.count("listing", "whole", "up"), more);
    if (more > 0n) damage.delete(whole);
    await damage.commit();
    let voters = 2;
    const voted = kvWith(kv, {
      async *list(range, options) {
        if (range.prefix[0] === "listing_votes") {
          const address = addressOf(++voters);
          await app.json("/api/v1/projects/whole/vote", { method: "POST", address });
        }
        yield* kv.list(range, options);
      },
    });
    const differences = await verify(new Store(voted, app.clock), { repair: true });
    assertEquals(differences.map(({ repaired }) => repaired), found);
    assert(voters > 3);
  });
}

Deno.test("a server with its own vote counts picks up a count that verify repaired", async () => {
  await using app = await filled();
  const { kv } = app.deps.store;
  await kv.atomic().sum(voteKeys.count("listing", "whole", "up"), 3n).commit();
  await app.deps.sync.load();
  const path = "/api/v1/projects/whole/vote";
  const vote = async (address: string) =>
    (await app.json(path, { method: "POST", address })).body.votes;
  assertEquals(await vote(addressOf(11)), 2 + 3 + 1);
  const elsewhere = new Store(kv, app.deps.clock);
  await verify(elsewhere, { repair: true });
  assertEquals(await vote(addressOf(12)), 2 + 2);
});

Deno.test("verify without repairs writes nothing to KV, even if it finds a difference", async () => {
  await using app = await filled();
  await app.deps.store.kv.atomic().sum(voteKeys.count("listing", "whole", "up"), 3n).commit();
  const written: Deno.KvKey[] = [];
  const kv = kvWith(app.deps.store.kv, {
    operation(operation) {
      for (const write of ["set", "delete", "sum"] as const) {
        operation[write] = (key: Deno.KvKey) => (written.push(key), operation);
      }
    },
  });
  const differences = await verify(new Store(kv, app.clock));
  assertEquals([differences.length, written], [1, []]);
});

for (
  const [what, said, damage] of [
    [
      "a skill without content",
      "Skill whole has no content",
      (op) => void op.delete(skillKeys.content("whole")),
    ],
    [
      "check-ins of an unknown name",
      "is 0, but should be 1",
      async (op, app) => {
        const [agent] = await Array.fromAsync(
          app.deps.store.list({ prefix: guestbookKeys.agents }),
        );
        op.delete(agent!.key);
      },
    ],
  ] as [string, string, Damage][]
) {
  Deno.test(`verify reports ${what} but doesn't repair it`, async () => {
    await using app = await filled();
    const operation = app.deps.store.kv.atomic();
    await damage(operation, app);
    await operation.commit();
    for (const repair of [true, false]) {
      const differences = await run(app, repair);
      assertEquals(differences.map(({ repaired }) => repaired), [false]);
      assertStringIncludes(differences[0]!.what, said);
    }
  });
}

for (
  const [what, kind, keyOf] of [
    ["URL", "listing", () => whole],
    ["content", "skill", contentKey],
  ] as const
) {
  Deno.test(`verify first releases a ${what} reserved for the wrong ${kind}, then reserves it for the right one`, async () => {
    await using app = await filled();
    await app.deps.store.kv.atomic().set(await keyOf(app), "another").commit();
    const seen = await run(app, true);
    assertEquals(seen.map(({ what, repaired }) => [what, repaired]), [
      [`The ${what} of ${kind} whole is reserved for another, not for whole`, false],
      [`A ${what} is reserved for another, which has a different one`, true],
    ]);
    assertEquals((await run(app, true)).map(({ repaired }) => repaired), [true]);
    assertEquals(await run(app, true), []);
  });
}

Deno.test("verify empties the record of a name without stored check-ins", async () => {
  await using app = await filled();
  const ghost = { agentName: "Ghost", family: "other", runs: [[20_500, 20_506]], total: 7 };
  await app.deps.store.kv.atomic().set(guestbookKeys.agent("ghost"), ghost).commit();
  assertEquals(await run(app, true), [
    { what: "The check-in count of Ghost is 7, but should be 0", repaired: true },
  ]);
  assertEquals(await run(app, true), []);
});

for (
  const [what, prefix] of [
    ["listing", listingKeys.all],
    ["reserved URL", listingKeys.allByUrl],
    ["public reason", pollKeys.reasons],
  ] as const
) {
  Deno.test(`verify judges a ${what} by its current state if it changed after it was listed`, async () => {
    await using app = await filled();
    const { editKey } = await submit(app, { name: "Moving" });
    const change = async () => {
      await app.json("/api/v1/projects/moving", {
        method: "PATCH",
        json: { url: "https://moved.example.com" },
        editKey,
      });
      const json = { candidate: "grok", reason: "better" };
      await app.json("/api/v1/poll/vote", { json, address: "198.51.100.1" });
    };
    const { kv } = app.deps.store;
    const changing = kvWith(kv, {
      async *list(range, options) {
        const entries = await Array.fromAsync(kv.list(range, options));
        if (range.prefix[0] === prefix[0]) await change();
        yield* entries;
      },
    });
    const store = new Store(changing, app.clock);
    assertEquals(await verify(store, { repair: true }), []);
    assertEquals(await run(app, false), []);
  });
}

for (
  const [what, said, damage] of [
    [
      "an amount was changed",
      "the bid history breaks at bid 2",
      (op, [, second]) => op.set(auctionKeys.entry(AUCTION, 2), { ...second, amountCents: 9_000 }),
    ],
    [
      "a bid in the middle was dropped",
      "the bid history breaks at bid 2",
      (op) => op.delete(auctionKeys.entry(AUCTION, 2)),
    ],
    [
      "the last bid was rewritten",
      "(3 bids) doesn't match its history (3 bids)",
      (op, [, second, third]) =>
        op.set(
          auctionKeys.entry(AUCTION, 3),
          nextEntry(AUCTION, second!, { ...third!, amountCents: 9_000 }),
        ),
    ],
    [
      "the last bid was dropped",
      "(3 bids) doesn't match its history (2 bids)",
      (op) => op.delete(auctionKeys.entry(AUCTION, 3)),
    ],
  ] as [string, string, (op: Deno.AtomicOperation, history: HistoryEntry[]) => unknown][]
) {
  Deno.test(`verify reports that ${what} in an auction's history, but doesn't repair it`, async () => {
    await using app = await filled();
    const history: HistoryEntry[] = [];
    const won = app.deps.store.kv.atomic();
    for (const [i, amountCents] of [1_000, 1_100, 1_200].entries()) {
      const bid = { amountCents, slug: "whole", name: "Whole", at: i, extended: false };
      history.push(nextEntry(AUCTION, history.at(-1) ?? null, bid));
      won.set(auctionKeys.entry(AUCTION, i + 1), history[i]);
    }
    won.set(auctionKeys.one(AUCTION), { id: AUCTION, bids: 3, lastHash: history[2]!.hash });
    await won.commit();
    assertEquals(await run(app, false), []);

    const operation = app.deps.store.kv.atomic();
    damage(operation, history);
    await operation.commit();
    for (const repair of [false, true, false]) {
      const differences = await run(app, repair);
      assertEquals(differences.map(({ repaired }) => repaired), [false]);
      assertStringIncludes(differences[0]!.what, said);
    }
  });
}
