import { assert } from "@std/assert";
import { counterValue } from "@/lib/kv/store.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { drive, inTurns, median, quantile, startBare } from "../bench/harness.ts";
import { seedDirectory } from "../bench/seed.ts";
import { removeBuild, type ServerProcess, startServer } from "../support/server.ts";

const LISTINGS = 10_000;
const SKILLS = 1_000;
const VOTERS_EACH = 100;
const RATE = 200;

/** The limits for lists: p99 as a multiple of bare `Deno.serve`, resident memory in MiB. */
const P99_TIMES = 5;
const MEMORY_MAX = 600;

/** The resolution of the latency clock, in ms; both servers respond within one or two. */
const TICK = 1;

const LISTS = [
  "/api/v1/projects",
  "/api/v1/projects?sort=new&limit=100",
  "/api/v1/projects?sort=top&offset=5000",
  "/api/v1/projects?q=editor",
  "/api/v1/skills",
];

Deno.test({
  name: "lists of 10,000 listings with 1,000,000 votes stay within 5 times bare p99 and 600 MiB",
  ignore: Deno.env.get("SOAK") !== "1",
  async fn() {
    const file = await seedDirectory(LISTINGS);
    const folder = file.slice(0, file.lastIndexOf("/"));
    try {
      await castVotes(file);
      await using ours = await startServer({
        folder,
        env: { TRUSTED_PROXIES: "1", LOG_LEVEL: "warn" },
      });
      await shareSkills(ours);
      const { total } = await (await fetch(`${ours.base}/api/v1/projects`)).json();
      assert(total === LISTINGS, `${total} listings`);
      const over: string[] = [];
      for (const path of LISTS) {
        await using bare = await startBare(await fetch(ours.base + path));
        const options = { path, seconds: 2, overallRate: RATE };
        const loads = await inTurns(3, () => drive(ours, options), () => drive(bare, options));
        const [p99, bareP99] = [loads.ours, loads.theirs].map((side) =>
          median(side.map((load) => quantile(load.latencies, 0.99)))
        ) as [number, number];
        const line = `${path}: p99 ${p99} ms, bare ${bareP99} ms`;
        // deno-lint-ignore no-console -- the figures are what a run is for
        console.log(line);
        if (p99 > P99_TIMES * Math.max(bareP99, TICK)) over.push(line);
      }
      const memory = Math.round(await ours.memory());
      // deno-lint-ignore no-console -- as above
      console.log(`memory: ${memory} MiB`);
      assert(over.length === 0, over.join("\n"));
      assert(memory < MEMORY_MAX, `${memory} MiB`);
    } finally {
      await Deno.remove(folder, { recursive: true });
      await removeBuild();
    }
  },
});

/** Writes votes like `setVote`: a key for each voter, and the count in the same commit. */
async function castVotes(file: string): Promise<void> {
  using kv = await Deno.openKv(file);
  const now = Date.now();
  for (let i = 0; i < LISTINGS; i += 5) {
    const operation = kv.atomic();
    for (let listing = i; listing < i + 5; listing++) {
      const slug = `listing-${listing}`;
      for (let voter = 0; voter < VOTERS_EACH; voter++) {
        operation.set(voteKeys.vote("listing", slug, `voter-${voter}`.padEnd(43, "0")), now);
      }
      operation.sum(voteKeys.count("listing", slug, "up"), BigInt(VOTERS_EACH));
    }
    assert((await operation.commit()).ok);
  }
  const last = await kv.get(voteKeys.count("listing", `listing-${LISTINGS - 1}`, "up"));
  assert(counterValue(last) >= VOTERS_EACH);
}

async function shareSkills(server: ServerProcess): Promise<void> {
  for (let i = 0; i < SKILLS; i++) {
    const response = await fetch(`${server.base}/api/v1/skills`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": `198.18.${i >> 8}.${i & 255}`,
      },
      body: JSON.stringify({
        title: `Skill ${i}`,
        summary: "Reads notes and answers in plain words",
        kind: "prompt",
        content: `Read the notes number ${i} and answer.\n`.repeat(40),
      }),
    });
    const answer = await response.text();
    assert(response.status === 201, answer);
  }
}
