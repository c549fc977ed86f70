import { SettingError } from "./env.ts";
import { storeKeys } from "./kv/keys.ts";
import type { Store } from "./kv/store.ts";
import { nameKey } from "./text/name_key.ts";
import { urlKey } from "./text/url_identity.ts";

/**
 * A step from one schema version to the next. It must be safe to run again from the start: a crash
 * may interrupt it, and servers running the earlier version may have written in the meantime.
 */
export interface Migration {
  /** The database's version after this step. */
  to: number;
  /** What it changes, as a log sentence. */
  what: string;
  /** Runs it. Returns extra log lines. */
  run(store: Store): Promise<string[] | void>;
}

/** The version this code reads and writes. */
export const SCHEMA_VERSION = 7;

/** Every step, in order. Version 1 was the first, so no step leads to it. */
export const migrations: readonly Migration[] = [
  {
    to: 2,
    what: "one log entry covers the votes of many commits",
    // Old entries are read as they are. The step only raises the version, so that a program that
    // cannot read the new entries refuses to start.
    run: () => Promise.resolve(),
  },
  {
    to: 3,
    what: "lists of each day's voters are kept beside the votes",
    // This step, too, only raises the version. The old lists expire within a day. On the day of the
    // update, a network's voters are counted anew.
    run: () => Promise.resolve(),
  },
  {
    to: 4,
    what: "votes can be held, and agent names in the poll hidden",
    // So does this one. An earlier program would subtract held votes from the count again, and show
    // hidden names.
    run: () => Promise.resolve(),
  },
  {
    to: 5,
    what: "a reason that an operator hid stays hidden, no matter who sends it again",
    async run(store) {
      const prefix = ["poll_ballots"];
      for await (const batch of store.listBatches<OldBallot>({ prefix })) {
        const hidden = batch.flatMap(({ value }) => value.hiddenReasons ?? []);
        const keys = hidden.map((reason) => ["poll_hidden_reasons", nameKey(reason)]);
        await Promise.all(
          keys.map((key) => store.transact((tx) => tx.set(key, store.clock.now()))),
        );
      }
    },
  },
  {
    to: 6,
    what: "addresses of projects are compared by more rules",
    async run(store) {
      const listings = new Map<string, OldListing>();
      const records = ["listings"];
      for await (const batch of store.listBatches<OldListing>({ prefix: records })) {
        for (const { value } of batch) listings.set(value.slug, value);
      }
      const held: { key: Deno.KvKey; listing: OldListing }[] = [];
      const urls = ["listings_by_url"];
      for await (const batch of store.listBatches<string>({ prefix: urls })) {
        for (const { key, value } of batch) {
          const listing = listings.get(value);
          if (listing?.url && urlKey(listing.url) !== key.at(-1)) held.push({ key, listing });
        }
      }
      held.sort((a, b) => a.listing.createdAt - b.listing.createdAt);
      const notes: string[] = [];
      for (const { key, listing } of held) notes.push(...await moveUrl(store, key, listing.slug));
      return notes;
    },
  },
  {
    to: 7,
    what: "logos of projects are copied",
    // An earlier program would keep a withdrawn listing's copy.
    async run(store) {
      const prefix = ["listings"];
      for await (const batch of store.listBatches<OldListing>({ prefix })) {
        const keys = batch.filter(({ value: { logoUrl } }) => logoUrl)
          .map(({ value: { slug, createdAt } }) => ["logo_jobs", createdAt, slug]);
        await Promise.all(keys.map((key) => store.transact((tx) => tx.set(key, { failures: 0 }))));
      }
    },
  },
];

/** The parts of a listing needed here. */
interface OldListing {
  slug: string;
  url: string;
  logoUrl?: string | null;
  createdAt: number;
  sameUrlAs?: string;
}

/**
 * Moves a listing's claim on its address to the current key. If another listing has it, both stay,
 * and the later one names the other.
 */
function moveUrl(store: Store, oldKey: Deno.KvKey, slug: string): Promise<string[]> {
  const recordKey = ["listings", slug];
  return store.transact(async (tx) => {
    const { key, value: listing } = await tx.get<OldListing>(recordKey);
    if (listing === null) return [];
    const urlHeld = ["listings_by_url", urlKey(listing.url)];
    const held = await tx.get<string>(urlHeld);
    tx.delete(oldKey);
    if (held.value === null || held.value === slug) {
      tx.set(held.key, slug);
      return [];
    }
    tx.set(key, { ...listing, sameUrlAs: held.value });
    return [`the addresses of ${held.value} and ${slug} count as the same today: both stay listed`];
  });
}

/** A ballot with its voter's reasons from that day that an operator hid. */
interface OldBallot {
  hiddenReasons?: string[];
}

/**
 * Refuses a database with another schema version, or that no server has used yet. For operator
 * commands, which don't migrate. Throws `SettingError`.
 */
export async function requireVersion(store: Store): Promise<void> {
  const { value } = await store.get<number>(storeKeys.schemaVersion);
  if (value === null) {
    throw new SettingError(
      "Bad setting: no server has used the database in KV_PATH yet; correct the path or address",
    );
  }
  if (value > SCHEMA_VERSION) throw tooNew(value, SCHEMA_VERSION);
  if (value < SCHEMA_VERSION) {
    throw new SettingError(
      `Bad setting: the database has schema version ${value}, but this program needs ${SCHEMA_VERSION}. ` +
        `Start the server once to migrate the database`,
    );
  }
}

function tooNew(current: number, known: number): SettingError {
  return new SettingError(
    `Bad setting: the database has schema version ${current}, but this program only knows ${known}. ` +
      `Run the version that wrote it, or a newer one`,
  );
}

/**
 * Migrates the database to this code's version, step by step. A new database gets that version
 * immediately. Returns what was done. Throws `SettingError` if the database is newer than the code.
 */
export async function migrate(
  store: Store,
  { version = SCHEMA_VERSION, migrations: steps = migrations, onStep }: {
    version?: number;
    migrations?: readonly Migration[];
    /** Called with a step's description before it runs, since it may take a minute. */
    onStep?: (what: string) => void;
  } = {},
): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const current = await currentVersion(store, version);
    if (current > version) throw tooNew(current, version);
    if (current === version) return done;
    const step = steps.find(({ to }) => to === current + 1);
    if (step === undefined) {
      throw new SettingError(
        `Bad setting: there is no migration from schema version ${current} to ${current + 1}`,
      );
    }
    onStep?.(step.what);
    const notes = await step.run(store) ?? [];
    await store.transact(async (tx) => {
      const { value } = await tx.get<number>(storeKeys.schemaVersion);
      if (value === current) tx.set(storeKeys.schemaVersion, step.to);
    });
    done.push(step.what, ...notes);
  }
}

/** The database's version. A database without one is new and gets `version`. */
function currentVersion(store: Store, version: number): Promise<number> {
  return store.transact(async (tx) => {
    const { value } = await tx.get<number>(storeKeys.schemaVersion);
    if (value !== null) return value;
    tx.set(storeKeys.schemaVersion, version);
    return version;
  });
}
