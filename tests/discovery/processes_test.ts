import { assert, assertEquals } from "@std/assert";
import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { delay, systemClock } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { inFolder } from "../support/folder.ts";
import { buildSite, removeBuild, type ServerProcess, startServer } from "../support/server.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { until } from "../support/until.ts";

/** How soon (ms) one process's writes must show in another. */
const WITHIN_MS = 1_000;
/** How many rounds to try, because a busy machine can be slow. */
const TRIES = 3;

interface World {
  /** The lists that the other processes or threads return. */
  lists(): Promise<PublicListing[][]>;
  writer: ServerProcess;
  /** The dependencies of an operator's command, which is a process of its own. */
  operator: Deps;
}

/** A write, and how a list shows that it arrived. */
type Step = [write: () => Promise<unknown>, shows: (list: PublicListing[]) => boolean];

/** Submits, votes and hides. Returns how long (ms) each took to show. */
async function changes(world: World, round: number): Promise<Record<string, number>> {
  const name = `Round ${round}`;
  const slug = `round-${round}`;
  const find = (list: PublicListing[]) => list.find((project) => project.slug === slug);
  const steps: Record<string, Step> = {
    listing: [
      () =>
        world.writer.json("/api/v1/projects", {
          json: { name, url: `https://${slug}.example.com`, tagline: "Shows elsewhere" },
        }),
      (list) => find(list) !== undefined,
    ],
    vote: [
      () => world.writer.json(`/api/v1/projects/${slug}/vote`, { method: "POST" }),
      (list) => find(list)?.votes === 1,
    ],
    operator: [
      () => moveListing(world.operator, { slug, step: "hide" }),
      (list) => find(list) === undefined,
    ],
  };
  const took: Record<string, number> = {};
  for (const [what, [write, shows]] of Object.entries(steps)) {
    await write();
    const start = performance.now();
    while (!(await world.lists()).every(shows)) {
      assert(performance.now() - start < 10_000, `${what} did not show within ten seconds`);
      await delay(10);
    }
    took[what] = performance.now() - start;
  }
  return took;
}

async function assertShowsWithin(world: World): Promise<void> {
  const late: Record<string, number>[] = [];
  for (let round = 1; round <= TRIES; round++) {
    const took = await changes(world, round);
    if (Object.values(took).every((ms) => ms <= WITHIN_MS)) return;
    late.push(took);
  }
  throw new Error(`Each try was late: ${JSON.stringify(late)}`);
}

async function listOf(server: ServerProcess): Promise<PublicListing[]> {
  return (await server.json("/api/v1/projects?sort=new")).body.projects;
}

async function openOperator(folder: string): Promise<Deps> {
  const kv = await Deno.openKv(`${folder}/kv.sqlite3`);
  const env = parseEnv({ ...TEST_SETTINGS, KV_PATH: `${folder}/kv.sqlite3` });
  return createDeps(env, { kv, salt: env.hashSalt!, clock: systemClock });
}

Deno.test("two processes on one KV file show each other's listings, votes and removals within a second", () =>
  inFolder(async (folder) => {
    await using writer = await startServer({ folder });
    await using reader = await startServer({ folder });
    const operator = await openOperator(folder);
    await assertShowsWithin({
      lists: async () => [await listOf(reader)],
      writer,
      operator,
    });
    operator.store.close();
  }));

Deno.test("deno serve --parallel shows listings, votes and removals in every thread within a second", () =>
  inFolder(async (folder) => {
    const build = await buildSite();
    const command = (port: string) => [
      "serve",
      "--no-check",
      "--parallel",
      "--allow-all",
      "--host",
      "127.0.0.1",
      "--port",
      port,
      `${build}/server.js`,
    ];
    await using server = await startServer({
      folder,
      command,
      env: { DENO_JOBS: "2", LOG_LEVEL: "warn" },
    });
    await until("its first thread listens", () => server.log() !== "");
    const operator = await openOperator(folder);
    await assertShowsWithin({
      // Connections spread over the threads, so what ten responses show has reached all of them.
      lists: () => Promise.all(Array.from({ length: 10 }, () => listOf(server))),
      writer: server,
      operator,
    });
    operator.store.close();
    assertEquals(server.log().match(/"level":"(warn|error)".*/g), null);
  }));

Deno.test.afterAll(removeBuild);
