import type Stripe from "stripe";
import { AiOfTheDayMemory } from "./ai_of_the_day/memory.ts";
import { CachedRead } from "./cache/cached_read.ts";
import type { Lru } from "./cache/lru.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Catalogue } from "./discovery/catalogue.ts";
import { CatalogueSync } from "./discovery/sync.ts";
import { Velocity } from "./discovery/velocity.ts";
import { createDocuments } from "./documents/cache.ts";
import { type Env, startWarnings } from "./env.ts";
import { GuestbookBoard } from "./guestbook/board.ts";
import { HourlyCounts } from "./hourly_counts.ts";
import { type Answers, createAnswers } from "./http/answers.ts";
import { createIdentity, type Identity } from "./http/identity.ts";
import type { Entity } from "./http/respond.ts";
import { ImageRenderer } from "./images/renderer.ts";
import { migrate } from "./kv/migrations.ts";
import { openKv } from "./kv/open.ts";
import { isOtherSalt, loadSalt } from "./kv/salt.ts";
import { type KvLike, Store } from "./kv/store.ts";
import { LogTail } from "./kv/tail.ts";
import { createLog, errorFields, type Log } from "./log.ts";
import type { KnownActions } from "./operator/actions.ts";
import { HEALTH_MAX_AGE_MS, type HealthBody } from "./operator/health.ts";
import type { Switches } from "./operator/switches.ts";
import { cancelWhenHidden } from "./payments/jobs.ts";
import { createStripe } from "./payments/stripe.ts";
import { PollBoard } from "./poll/board.ts";
import { PlacementSync } from "./promotions/placement_sync.ts";
import { KeptPages } from "./site/page_cache.ts";
import { SkillCatalogue } from "./skills/catalogue.ts";
import { Traffic } from "./stats/traffic.ts";
import { createUrls, type Urls } from "./urls.ts";

/** What services work with; made once a process, and new for each test. */
export interface Deps {
  env: Env;
  clock: Clock;
  /** When this process began (ms). */
  startedAt: number;
  store: Store;
  urls: Urls;
  identity: Identity;
  log: Log;
  /** The in-memory read model of live listings. */
  catalogue: Catalogue;
  /** Public answers that are made once per change. */
  answers: Answers;
  /** Feeds, sitemaps and other documents. */
  documents: Lru<Entity>;
  /** Rendered pages. */
  pages: KeptPages;
  /** The in-memory read model of live skills. */
  skills: SkillCatalogue;
  /** Votes of the last 24 hours. */
  velocity: Velocity;
  /** The counts of the poll. */
  pollBoard: PollBoard;
  /** Names and days of the guestbook. */
  guestbookBoard: GuestbookBoard;
  /** What was last read of the AI of the Day. */
  aiOfTheDay: AiOfTheDayMemory;
  /** What the operator can switch, as it was last read. */
  switches: CachedRead<Switches>;
  /** The log of the operator's actions. */
  actions: CachedRead<KnownActions>;
  /** The health of this process. */
  health: CachedRead<HealthBody>;
  /** Closes of auctions that readers have begun, by auction. */
  closes: Map<string, Promise<unknown>>;
  /** Keeps the catalogue in step with KV. */
  sync: CatalogueSync;
  /** Counts requests by surface and visitor class. */
  traffic: Traffic;
  /** The visits of each network to any listing. */
  visits: HourlyCounts;
  /** Keeps the catalogue in step with what was paid for. */
  placements: PlacementSync;
  /** Draws preview pictures. */
  images: ImageRenderer;
  /** Null where no key is configured. */
  stripe: Stripe | null;
  /** Tells the listeners of this process what other processes write. */
  tail: LogTail;
}

/** Puts the dependencies together over an open KV. */
export function createDeps(
  env: Env,
  options: { kv: KvLike; salt: string; clock?: Clock; log?: Log },
): Deps {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(env.logLevel);
  const store = new Store(options.kv, clock, {
    onListenerError: (error) => log.error("listener_failed", errorFields(error)),
  });
  const urls = createUrls(env.baseUrl);
  const catalogue = new Catalogue(clock);
  const skills = new SkillCatalogue({ store, urls, log });
  return {
    env,
    clock,
    startedAt: clock.now(),
    store,
    urls,
    identity: createIdentity(options.salt),
    log,
    catalogue,
    answers: createAnswers(),
    documents: createDocuments(),
    pages: new KeptPages(store),
    skills,
    velocity: new Velocity({ store, log }),
    pollBoard: new PollBoard(store),
    guestbookBoard: new GuestbookBoard(store),
    aiOfTheDay: new AiOfTheDayMemory(store),
    switches: new CachedRead<Switches>({ maxAgeMs: 0 }),
    actions: new CachedRead<KnownActions>({ maxAgeMs: 0 }),
    health: new CachedRead<HealthBody>({ maxAgeMs: HEALTH_MAX_AGE_MS }),
    closes: new Map(),
    sync: new CatalogueSync({ store, urls, catalogue, log }),
    traffic: new Traffic({ store, log }),
    visits: new HourlyCounts(),
    placements: new PlacementSync({ store, catalogue, log }),
    images: new ImageRenderer(),
    stripe: env.stripeSecretKey === undefined ? null : createStripe({
      secretKey: env.stripeSecretKey,
      apiUrl: env.stripeApiUrl,
    }),
    tail: new LogTail({ store, log }),
  };
}

/** Opens everything that the settings name and fills the catalogue. Throws `SettingError`. */
export async function openDeps(env: Env): Promise<Deps> {
  const kv = await openKv(env);
  const salt = await loadSalt(env);
  const deps = createDeps(env, { kv, salt });
  for (const warning of startWarnings(env)) deps.log.warn("setting", { warning });
  for (const what of await migrate(deps.store)) deps.log.info("migrated", { what });
  if (await isOtherSalt(deps.store, salt)) {
    const warning = "The salt (HASH_SALT, or the file hash_salt beside the database) is another " +
      "than at the last start: every voter is new";
    deps.log.warn("setting", { warning });
  }
  await deps.tail.begin();
  await deps.sync.load();
  await deps.placements.load();
  await deps.skills.load();
  cancelWhenHidden(deps);
  deps.tail.start();
  deps.traffic.start();
  deps.velocity.load();
  indexTexts(deps);
  return deps;
}

/**
 * Reads the poll and the guestbook, and then indexes the texts between other work. In this order
 * because the first pages wait for the boards. Whoever searches earlier has the texts indexed at
 * once.
 */
async function indexTexts({ clock, pollBoard, guestbookBoard, catalogue, skills }: Deps) {
  const now = clock.now();
  await Promise.allSettled([pollBoard.read(now), guestbookBoard.read(now)]);
  catalogue.indexText();
  skills.indexText();
}
