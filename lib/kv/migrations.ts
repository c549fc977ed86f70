import { DAY_MS } from "../clock.ts";
import { SettingError } from "../env.ts";
import { storeKeys } from "./keys.ts";
import type { Store } from "./store.ts";

/**
 * A step from one schema version to the next. It must stand being run again from its beginning (a crash may
 * interrupt it) and beside servers of the version before, which may still be answering.
 */
export interface Migration {
  /** The version that the database has after it. */
  to: number;
  /** What it changes, in a sentence for the log. */
  what: string;
  run(store: Store): Promise<void>;
}

/** The version that this code reads and writes. */
export const SCHEMA_VERSION = 3;

/** Every step, in order; version 1 is the first that there was. */
export const migrations: readonly Migration[] = [
  {
    to: 2,
    what: "one entry of the log carries the votes of many commits",
    // Old entries are read as they are; what cannot read the new ones must not start here again.
    run: () => Promise.resolve(),
  },
  {
    to: 3,
    what: "the lists of a day's voters stand beside the votes",
    async run(store) {
      for (const subject of ["listing", "skill"]) {
        for await (const { key } of store.list({ prefix: [`${subject}_voters`] })) {
          const [, slug, ...rest] = key;
          await store.transact(async (tx) => {
            const beside = [`${subject}_votes`, slug!, "~", ...rest];
            const old = (await tx.get<Record<string, string[]>>(key)).value;
            if (old === null) return;
            const moved = (await tx.get<[string, string][]>(beside)).value ?? [];
            const pairs = Object.entries(old)
              .flatMap(([network, voters]) => voters.map((voter) => [network, voter]));
            tx.set(beside, [...moved, ...pairs], { expireIn: DAY_MS });
            tx.delete(key);
          });
        }
      }
    },
  },
];

/**
 * Brings the database to the version of this code, step by step; a new database has it from the start.
 * Returns what was done. Throws `SettingError` when the database is of a later version than the code.
 */
export async function migrate(
  store: Store,
  options: { version?: number; migrations?: readonly Migration[] } = {},
): Promise<string[]> {
  const { version = SCHEMA_VERSION, migrations: steps = migrations } = options;
  const done: string[] = [];
  for (;;) {
    const current = await currentVersion(store, version);
    if (current > version) {
      throw new SettingError(
        `Bad setting: the database is of schema version ${current}, this program knows ${version}; ` +
          `run the program that wrote it, or a newer one`,
      );
    }
    if (current === version) return done;
    const step = steps.find(({ to }) => to === current + 1);
    if (step === undefined) {
      throw new SettingError(
        `Bad setting: nothing leads from schema version ${current} to ${current + 1}`,
      );
    }
    await step.run(store);
    await store.transact(async (tx) => {
      const { value } = await tx.get<number>(storeKeys.schemaVersion);
      if (value === current) tx.set(storeKeys.schemaVersion, step.to);
    });
    done.push(step.what);
  }
}

/** The version of the database; one without any is new, and gets `version`. */
function currentVersion(store: Store, version: number): Promise<number> {
  return store.transact(async (tx) => {
    const { value } = await tx.get<number>(storeKeys.schemaVersion);
    if (value !== null) return value;
    tx.set(storeKeys.schemaVersion, version);
    return version;
  });
}
