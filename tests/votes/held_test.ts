import { assertEquals } from "@std/assert";
import { Store } from "@/lib/kv/store.ts";
import { readDailyCounts } from "@/lib/listings/daily_counts.ts";
import { setVotesHeld } from "@/lib/votes/held.ts";
import { voteKeys, voteRanges } from "@/lib/votes/keys.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { faultKv } from "../support/fault_kv.ts";
import { addressOf, submit } from "../support/listings.ts";

const VOTERS = 60;

/** A listing with 60 votes, more than one transaction can move. */
async function voted(app: TestApp) {
  const { slug } = (await submit(app)).project;
  await Promise.all(Array.from({ length: VOTERS }, (_, n) => set(app, slug, n, "POST")));
  return { kind: "listing", slug } as const;
}

function set(app: TestApp, slug: string, n: number, method: string) {
  return app.json(`/api/v1/projects/${slug}/vote`, { method, address: addressOf(n) });
}

/** The numbers of stored votes that count and that are held, and what the counters say. */
async function state({ deps: { store } }: TestApp, slug: string): Promise<number[]> {
  const votes = await Array.fromAsync(store.list<number>(voteRanges.votes("listing", slug)));
  const [up, down] = await store.getMany<Deno.KvU64>([
    voteKeys.count("listing", slug, "up"),
    voteKeys.count("listing", slug, "down"),
  ]);
  const counted = votes.filter(({ value }) => value > 0).length;
  return [counted, votes.length - counted, Number(up!.value) - Number(down!.value?.value ?? 0)];
}

Deno.test("concurrent casting, removing, holding and releasing keep counts and records equal (invariant 1)", async () => {
  await using app = await testApp();
  const item = await voted(app);
  const { slug } = item;
  const now = app.clock.now();
  const span = { ...item, from: now, until: now + 1 };
  // Another process: its own store on the same KV.
  const other = new Store(app.deps.store.kv, app.clock);
  const [held] = await Promise.all([
    setVotesHeld(other, { ...span, held: true }),
    ...Array.from({ length: 20 }, (_, n) => set(app, slug, n * 3, "DELETE")),
    ...Array.from({ length: 20 }, (_, n) => set(app, slug, n + VOTERS, "POST")),
  ]);
  const [counted, ofThose, count] = await state(app, slug);
  assertEquals(counted! + ofThose!, VOTERS);
  assertEquals(counted, count);
  assertEquals(held >= VOTERS - 20, true, `${held} were held`);
  const [released, again] = await Promise.all([
    setVotesHeld(other, { ...span, held: false }),
    setVotesHeld(app.deps.store, { ...span, held: false }),
    ...Array.from({ length: 20 }, (_, n) => set(app, slug, n * 3, "POST")),
  ]);
  assertEquals(released + again, ofThose, "each is released once");
  assertEquals(await state(app, slug), [VOTERS + 20, 0, VOTERS + 20]);
});

Deno.test("a held vote that is taken back also leaves its day's count", async () => {
  await using app = await testApp();
  const { slug } = (await submit(app)).project;
  for (const n of [1, 2]) await set(app, slug, n, "POST");
  const now = app.clock.now();
  const span = { from: now, until: now + 1 };
  await setVotesHeld(app.deps.store, { kind: "listing", slug, ...span, held: true });
  await set(app, slug, 1, "DELETE");
  const days = await readDailyCounts(app.deps.store, slug);
  assertEquals([...days.values()].map(({ votes }) => votes.crawler), [1]);
});

Deno.test("holding votes resumes after KV failures and moves each vote only once", async () => {
  await using app = await testApp();
  const item = await voted(app);
  const now = app.clock.now();
  const span = { ...item, from: now, until: now + 1 };
  const { kv, faults } = faultKv(app.deps.store.kv as Deno.Kv, {
    seed: 7,
    rates: { throw_before: 0.2, throw_after: 0.2, not_ok: 0.2, read_throws: 0.2 },
  });
  const store = new Store(kv, app.clock);
  for (let round = 0; round < 20; round++) {
    await setVotesHeld(store, { ...span, held: true }).catch(() => {});
    const [counted, held, count] = await state(app, item.slug);
    assertEquals([counted! + held!, counted], [VOTERS, count]);
    if (held === VOTERS) break;
  }
  assertEquals(await state(app, item.slug), [0, VOTERS, 0]);
  await faults.caughtUp();
  faults.rates = {};
  assertEquals(await setVotesHeld(store, { ...span, held: false }), VOTERS);
  assertEquals(await state(app, item.slug), [VOTERS, 0, VOTERS]);
});
