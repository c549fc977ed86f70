/**
 * One of several processes on one KV file: `worker.ts <worker>`. For each line of stdin, a JSON
 * array of a KV file and a scenario, it opens the file, prints `ready`, waits for another line,
 * prints one JSON line per operation (the input and the response), and prints `done`.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { closeDay } from "@/lib/ai_of_the_day/service.ts";
import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { systemClock } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { DomainError } from "@/lib/errors.ts";
import { parseCheckIn } from "@/lib/guestbook/input.ts";
import { checkIn } from "@/lib/guestbook/service.ts";
import { Caller } from "@/lib/http/caller.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { createListing } from "@/lib/listings/service.ts";
import { parseBallot } from "@/lib/poll/input.ts";
import { castBallot } from "@/lib/poll/service.ts";
import { SkillInput } from "@/lib/skills/schema.ts";
import { createSkill } from "@/lib/skills/service.ts";
import { setVote } from "@/lib/votes/service.ts";
import { seededRandom } from "../support/runs.ts";
import { TEST_SETTINGS } from "../support/settings.ts";

const worker = Number(Deno.args[0]);
let deps: Deps;

function callerAt(address: string, agent?: string): Caller {
  return new Caller({
    peer: address,
    headers: new Headers({
      "user-agent": "worker",
      ...(agent === undefined ? {} : { "x-agent-name": agent }),
    }),
    identity: deps.identity,
    trustedProxies: 0,
  });
}

async function report(asked: Record<string, unknown>, work: () => Promise<unknown>): Promise<void> {
  let answer: Record<string, unknown>;
  try {
    answer = { ok: true, result: await work() };
  } catch (error) {
    answer = { ok: false, code: error instanceof DomainError ? error.code : String(error) };
  }
  // deno-lint-ignore no-console -- the parent reads the lines
  console.log(JSON.stringify({ worker, ...asked, ...answer, at: Date.now() }));
}

const votes = (voter: number, voted: boolean) =>
  report(
    { voter, voted },
    () =>
      setVote(deps, {
        kind: "listing",
        slug: "race",
        caller: callerAt(`198.51.100.${1 + voter}`),
        voted,
      }),
  );

const scenarios: Record<string, () => Promise<unknown>> = {
  /** 100 voters of its own, all concurrently. */
  votes: () => Promise.all(Array.from({ length: 100 }, (_, i) => votes(worker * 100 + i, true))),
  /** The same 25 votes by one voter in each process. */
  same_voter: () => Promise.all(Array.from({ length: 25 }, () => votes(0, true))),
  /** 100 votes and unvotes by the same 8 voters in each process. */
  storm: () => {
    const random = seededRandom(worker + 1);
    return Promise.all(
      Array.from({ length: 100 }, () => votes(Math.floor(random() * 8), random() < 0.5)),
    );
  },
  /** Two seconds of new listings, each voted on immediately. */
  stream: async () => {
    const until = Date.now() + 2_000;
    for (let i = 0; Date.now() < until; i++) {
      const input = ListingInput.parse({
        name: `Stream ${i}`,
        url: `https://s${i}.example.com`,
        tagline: "x",
      });
      const caller = callerAt(`203.0.${i >> 8}.${i & 255}`);
      const { project: { slug } } = await createListing(deps, { input, caller });
      await report({ slug }, () => setVote(deps, { kind: "listing", slug, caller, voted: true }));
    }
  },
  /** One URL, ten times in each process. */
  one_url: () =>
    Promise.all(Array.from({ length: 10 }, (_, i) => {
      const input = ListingInput.parse({
        name: `Worker ${worker} ${i}`,
        url: "https://once.example.com",
        tagline: "Only one of us",
      });
      const caller = callerAt(`203.0.113.${worker * 20 + i}`);
      return report({ i }, async () => (await createListing(deps, { input, caller })).project.slug);
    })),
  /** 20 agents of its own, all in one network: ballots. */
  poll_agents: () =>
    Promise.all(Array.from({ length: 20 }, (_, i) => {
      const caller = callerAt("198.51.100.1", `Agent ${worker} ${i}`);
      const ballot = parseBallot({ candidate: "claude" });
      return report({ i }, () => castBallot(deps, { ballot, caller }));
    })),
  /** 80 write-in names of its own. */
  write_ins: () =>
    Promise.all(Array.from({ length: 80 }, (_, i) => {
      const ballot = parseBallot({ candidate: "other", writeIn: `Model ${worker} ${i}` });
      const caller = callerAt(`198.51.${worker}.${i}`);
      return report({ i }, () => castBallot(deps, { ballot, caller }));
    })),
  /** 20 agents of its own, all in one network: check-ins. */
  check_ins: () =>
    Promise.all(Array.from({ length: 20 }, (_, i) => {
      const caller = callerAt("198.51.100.1", `Agent ${worker} ${i}`);
      const input = parseCheckIn({ catchphrase: "Hello" }, caller);
      return report({ i }, () => checkIn(deps, { checkIn: input, caller }));
    })),
  /** The same past day, closed five times in each process. */
  close_day: () =>
    Promise.all(
      Array.from({ length: 5 }, () => report({}, () => closeDay(deps, "2026-03-04"))),
    ),
  /** The same content ten times in each process, with a different title each time. */
  one_skill: () =>
    Promise.all(Array.from({ length: 10 }, (_, i) => {
      const input = SkillInput.parse({
        title: `Worker ${worker} ${i}`,
        summary: "Only one of us",
        kind: "prompt",
        content: "The same content, whoever sends it",
      });
      const caller = callerAt(`203.0.113.${worker * 20 + i}`);
      return report({ i }, async () => (await createSkill(deps, { input, caller })).skill.slug);
    })),
};

const lines = createInterface(Readable.from(Deno.stdin.readable))[Symbol.asyncIterator]();
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const [file, scenario] = JSON.parse(line.value);
  const env = parseEnv({ ...TEST_SETTINGS, KV_PATH: file });
  const kv = await Deno.openKv(file);
  deps = createDeps(env, { kv, salt: env.hashSalt!, clock: systemClock });
  // deno-lint-ignore no-console -- the parent waits for it
  console.log("ready");
  await lines.next();
  await scenarios[scenario]!();
  deps.store.close();
  // deno-lint-ignore no-console -- the parent waits for it
  console.log("done");
}
