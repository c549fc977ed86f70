import { AiOfTheDayMemory } from "../ai_of_the_day/memory.ts";
import { bidKind } from "../auctions/payment_kind.ts";
import { CachedRead } from "../cache/cached_read.ts";
import { Lru } from "../cache/lru.ts";
import { type Clock, systemClock } from "../clock.ts";
import { Velocity } from "../discovery/velocity.ts";
import { type Env, startWarnings } from "../env.ts";
import { createFetcher } from "../fetching/fetcher.ts";
import { GuestbookBoard } from "../guestbook/board.ts";
import { Answers } from "../http/answers.ts";
import type { Blocks } from "../http/blocks.ts";
import { createIdentity } from "../http/identity.ts";
import { requireSalt } from "../http/salt.ts";
import type { Deps as ImageDeps } from "../images/deps.ts";
import { ImageRenderer } from "../images/renderer.ts";
import { DiskGuard } from "../kv/disk_guard.ts";
import { checksMaxOf, openKv } from "../kv/open.ts";
import { type KvLike, Store } from "../kv/store.ts";
import { LogTail } from "../kv/tail.ts";
import { ListingCatalogue, listingKind } from "../listings/catalogue.ts";
import { noteDailyCounts } from "../listings/daily_counts.ts";
import { createLog, errorFields, type Log } from "../log.ts";
import type { Deps as McpDeps } from "../mcp/deps.ts";
import { migrate } from "../migrations.ts";
import type { Deps as OperatorDeps } from "../operator/deps.ts";
import { HEALTH_MAX_AGE_MS } from "../operator/health.ts";
import type { HealthBody } from "../operator/schema.ts";
import { PollBoard } from "../poll/board.ts";
import { promotionKind } from "../promotions/payment_kind.ts";
import { PlacementSync } from "../promotions/placement_sync.ts";
import { Snapshots } from "../read_model/snapshots.ts";
import { Sync } from "../read_model/sync.ts";
import { Signatures } from "../signatures/signatures.ts";
import type { Deps as SiteDeps } from "../site/deps.ts";
import { KeptPages } from "../site/page_cache.ts";
import { SkillCatalogue, skillKind } from "../skills/catalogue.ts";
import { Traffic } from "../stats/traffic.ts";
import type { Switches } from "../switches.ts";
import { createUrls } from "../urls.ts";
import { jobsOf, runJob, snapshotJob } from "./crons.ts";
import { endSalesWhenTakenDown } from "./taken_down.ts";

/** How soon (ms) a network block takes effect. */
const BLOCKS_MAX_AGE_MS = 1_000;

/** The dependencies of all features; created once per process, and new for each test. */
export interface Deps extends ImageDeps, McpDeps, OperatorDeps, SiteDeps {
  /** Finds who signed a request. */
  signatures: Signatures;
}

/** Creates the dependencies over an open KV. */
export function createDeps(
  env: Env,
  options: {
    kv: KvLike;
    salt: string;
    stripe?: Deps["stripe"];
    clock?: Clock;
    log?: Log;
    disk?: DiskGuard;
  },
): Deps {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(env.logLevel);
  const store = new Store(options.kv, clock, {
    checksMax: checksMaxOf(env),
    isFull: () => options.disk?.isFull === true,
    onListenerError: (error) => log.error("listener_failed", errorFields(error)),
  });
  const urls = createUrls(env.baseUrl);
  const catalogue = new ListingCatalogue({ clock, urls });
  const skills = new SkillCatalogue({ clock, urls });
  const kinds = [listingKind(catalogue), skillKind(skills)];
  const sync = new Sync({ store, log, kinds });
  const placements = new PlacementSync({ store, catalogue, log });
  const fetcher = createFetcher(env, { urls, log });
  return {
    env,
    clock,
    startedAt: clock.now(),
    store,
    urls,
    identity: createIdentity(options.salt),
    blocks: new CachedRead<Blocks>({ maxAgeMs: BLOCKS_MAX_AGE_MS }),
    log,
    disk: options.disk ?? null,
    catalogue,
    answers: new Answers(),
    pages: new KeptPages(store),
    skills,
    installs: new Lru({ max: 10_000 }),
    velocity: new Velocity({ store, log }),
    pollBoard: new PollBoard(store),
    guestbookBoard: new GuestbookBoard(store),
    aiOfTheDay: new AiOfTheDayMemory(store),
    switches: new CachedRead<Switches>({ maxAgeMs: 0 }),
    health: new CachedRead<HealthBody>({ maxAgeMs: HEALTH_MAX_AGE_MS }),
    closes: new Map(),
    sync,
    snapshots: new Snapshots({ store, log, kinds }),
    traffic: new Traffic({ store, log }),
    visits: new Lru({ max: 100_000 }),
    placements,
    fetcher,
    signatures: new Signatures({ clock, store, urls, fetcher }),
    images: new ImageRenderer(),
    jobs: jobsOf(env),
    stripe: options.stripe ?? null,
    paymentKinds: [bidKind, promotionKind],
    tail: new LogTail({
      store,
      log,
      caughtUp: () => Promise.all([sync.caughtUp(), placements.caughtUp()]),
    }),
  };
}

/** The Stripe client, or null without a key: then its package is not even loaded. */
export async function openStripe(env: Env): Promise<Deps["stripe"]> {
  if (env.stripeSecretKey === undefined) return null;
  const { createStripe } = await import("../payments/stripe.ts");
  return createStripe({ secretKey: env.stripeSecretKey, apiUrl: env.stripeApiUrl });
}

/**
 * Opens everything that the settings name. The catalogues load afterward, or on Deno Deploy
 * with the first request: `Sync.ready` delays whatever needs them. Throws `SettingError`.
 */
export async function openDeps(
  env: Env,
  { acceptNewSalt = false }: { acceptNewSalt?: boolean } = {},
): Promise<Deps> {
  const disk = new DiskGuard(env);
  await disk.prepare();
  const kv = await openKv(env);
  const salt = await requireSalt(new Store(kv, systemClock), env, { acceptNew: acceptNewSalt });
  const deps = createDeps(env, { kv, salt, stripe: await openStripe(env), disk });
  await disk.start(kv, deps.log);
  for (const warning of startWarnings(env)) deps.log.warn("setting", { warning });
  const onStep = (what: string) => deps.log.info("migrating", { what });
  for (const what of await migrate(deps.store, { onStep })) deps.log.info("migrated", { what });
  await Promise.all([noteDailyCounts(deps.store), deps.tail.begin()]);
  // Placements are few, and listings that are read straight from KV show them too.
  await deps.placements.load();
  endSalesWhenTakenDown(deps);
  // Besides these two and the disk guard, only the jobs in `crons.ts` work between requests.
  deps.tail.start();
  deps.traffic.start();
  fill(deps);
  return deps;
}

/**
 * Loads the catalogues, then the data that the first pages wait for, then indexes the texts in the
 * gaps between other work. Searches that arrive earlier wait for the index.
 */
async function fill(deps: Deps): Promise<void> {
  const { env, clock, pollBoard, guestbookBoard, catalogue, skills } = deps;
  // Deno Deploy starts a process for each run of a job, and bills each read.
  const source = await deps.sync.start(deps.snapshots, { onDemand: env.isDeploy });
  deps.velocity.load();
  const now = clock.now();
  await Promise.allSettled([pollBoard.read(now), guestbookBoard.read(now)]);
  catalogue.indexText();
  skills.indexText();
  // There, the job ran at startup, before there was anything to save, and this process may be gone
  // before its next run.
  if (env.isDeploy && source === "records") await runJob(deps, snapshotJob);
}
