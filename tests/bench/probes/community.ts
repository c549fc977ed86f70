// `community.ts <names> <days> <skills>`: ms that a read costs right after a write of its own process, with a
// guestbook and a poll of so many names a day on so many days, and so many skills.
import { createDeps } from "@/lib/app/deps.ts";
import { addDays, dayStart, HOUR_MS, utcDay } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { guestbookKeys } from "@/lib/guestbook/keys.ts";
import { checkIn, getGuestbook } from "@/lib/guestbook/service.ts";
import { dayNumber } from "@/lib/guestbook/streaks.ts";
import { Caller } from "@/lib/http/caller.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import { castBallot, getPoll } from "@/lib/poll/service.ts";
import { skillKeys } from "@/lib/skills/keys.ts";
import { setSkillVote } from "@/lib/skills/service.ts";
import { nameKey } from "@/lib/text/name_key.ts";
import { fixedClock } from "../../support/fixed_clock.ts";
import { storedSkill } from "../../support/stored_skill.ts";
import { print } from "./print.ts";

const [names = 4_000, days = 30, skills = 10_000] = Deno.args.map(Number);
const now = dayStart(utcDay(Date.now())) + 12 * HOUR_MS;
const today = utcDay(now);
const clock = fixedClock(now);
const kv = await Deno.openKv(`${await Deno.makeTempDir()}/kv.sqlite3`);
const deps = createDeps(parseEnv({ LOG_LEVEL: "silent" }), { kv, clock, salt: "x".repeat(40) });

await seed();
await deps.sync.load();
const results: Record<string, number> = {};
let serial = 0;

await measure("guestbook", () => getGuestbook(deps), (n) =>
  checkIn(deps, {
    checkIn: {
      agentName: `Probe ${n}`,
      model: null,
      maker: null,
      catchphrase: "Hello",
      themeProposal: null,
    },
    caller: caller(n),
  }));
await measure(
  "poll",
  () => getPoll(deps, { limit: 250, caller: caller(0) }),
  (n) =>
    castBallot(deps, {
      ballot: { candidate: "claude", writeIn: null, reason: null },
      caller: caller(n).throughMcp(`Probe ${n}`),
    }),
);
for (const sort of ["top", "hot"] as const) {
  await measure(
    `skills ${sort}`,
    () => deps.skills.list({ sort, limit: 30, offset: 0 }),
    (n) => setSkillVote(deps, { slug: `skill-${n * 37 % skills}`, caller: caller(n), voted: true }),
  );
  await measure(
    `skills ${sort} of a kind`,
    () => deps.skills.list({ sort, kind: "prompt", limit: 30, offset: 0 }),
    (n) => setSkillVote(deps, { slug: `skill-${n * 37 % skills}`, caller: caller(n), voted: true }),
  );
}
deps.store.close();
print(results);

async function measure(
  what: string,
  read: () => unknown,
  write: (n: number) => Promise<unknown>,
): Promise<void> {
  const begun = performance.now();
  await read();
  results[`${what}: first`] = performance.now() - begun;
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    await write(serial++);
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  results[`${what}: after a write`] = times.sort((a, b) => a - b)[7]!;
}

function caller(n: number): Caller {
  const headers = new Headers({ "user-agent": `probe/${n}` });
  const peer = `198.51.${n >> 8}.${n & 255}`;
  return new Caller({ peer, headers, identity: deps.identity, trustedProxies: 0 });
}

async function seed(): Promise<void> {
  let op = kv.atomic();
  let size = 0;
  const set = async (change: (op: Deno.AtomicOperation) => void) => {
    change(op);
    if (++size % 200 === 0) {
      await op.commit();
      op = kv.atomic();
    }
  };
  const last = dayNumber(today);
  for (let i = 0; i < names; i++) {
    const agentName = `Agent ${i}`;
    const key = nameKey(agentName);
    const runs = [[last - i % days, last]];
    const record = { agentName, family: "other", runs, total: 1 + i % days };
    await set((op) => op.set(guestbookKeys.agent(key), record));
    const stored = {
      agentName,
      model: null,
      maker: null,
      family: "other",
      catchphrase: "Hello there, passing through",
      blocked: false,
      hidden: false,
      theme: null,
      network: "n".repeat(22),
      via: "api",
      signedAt: now - i,
      updatedAt: now - i,
    };
    await set((op) => op.set(guestbookKeys.checkIn(today, key), stored));
    await set((op) => op.set(guestbookKeys.recent(now - i, key), today));
    await set((op) => op.set(pollKeys.agent(key), agentName));
    for (let back = 0; back < days; back++) {
      const day = addDays(today, -back);
      await set((op) => op.set(pollKeys.agentVotes(day, key), new Deno.KvU64(1n)));
      if (i > 0) continue;
      const tally = pollKeys.tally(day, "ai_agent", "claude", "up");
      await set((op) => op.set(tally, new Deno.KvU64(BigInt(names))));
    }
  }
  const kinds = ["skill-md", "prompt", "agents-md", "cursor-rules"] as const;
  for (let i = 0; i < skills; i++) {
    const slug = `skill-${i}`;
    const stored = storedSkill(slug, {
      title: `Skill ${i}`,
      summary: `What skill ${i} does`,
      kind: kinds[i % 4],
      keyHash: "0".repeat(43),
      createdAt: now - i * 60_000,
      updatedAt: now - i * 60_000,
    });
    await set((op) => op.set(skillKeys.one(slug), stored));
  }
  await op.commit();
}
