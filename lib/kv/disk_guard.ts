import { statfs } from "node:fs";
import { promisify } from "node:util";
import type { Env } from "../env.ts";
import type { Log } from "../log.ts";
import { storeKeys } from "./keys.ts";
import { dataFolder } from "./open.ts";
import type { KvLike } from "./store.ts";

/** Below this much free space (bytes), the reserve is released and commits are refused. */
const FULL = 1_000_000;
/** Above this much free space (bytes), commits resume and the reserve is rebuilt. */
const ROOM = 20_000_000;
const RESERVE = 8_000_000;
/** How often (ms) to check the disk. */
const WATCH_MS = 500;
/**
 * Bytes per value (within KV's limit), values per commit, and how many such commits fill SQLite's
 * log.
 */
const VALUE = 60_000;
const VALUES = 12;
const COMMITS = 8;

/**
 * Free bytes on the disk of the embedded KV file, or null if there is no such file. Throws if it
 * has no permission to find out.
 */
export async function freeBytes(env: Pick<Env, "kvPath">): Promise<number | null> {
  const folder = dataFolder(env);
  if (folder === undefined) return null;
  const { bavail, bsize } = await promisify(statfs)(folder);
  return bavail * bsize;
}

/**
 * Keeps a service alive on a full disk. Deno ends the process if its KV can't delete expired
 * entries, which takes a little space. A reserve file is released when the disk is nearly full, and
 * commits are refused. SQLite immediately claims the space that deletes will need, before anything
 * else can.
 */
export class DiskGuard {
  readonly #env: Pick<Env, "kvPath">;
  readonly #reserve: string | undefined;
  #log: Log | undefined;
  #kv: KvLike | undefined;
  #fileId: string | null = null;
  /** While the reserve is being written: resolves when that is done. */
  #filling: Promise<void> | undefined;
  /** Whether commits are refused. */
  isFull = false;
  /** Whether the file we opened was deleted or replaced: a restart will lose what we write now. */
  isReplaced = false;

  constructor(env: Pick<Env, "kvPath">) {
    this.#env = env;
    const folder = dataFolder(env);
    this.#reserve = folder && `${folder}/reserve`;
  }

  /** Checks the disk before KV is opened, which may need the reserve released. */
  async prepare(): Promise<void> {
    await this.#look().catch(() => {});
  }

  /** Starts watching the disk. */
  async start(kv: KvLike, log: Log): Promise<void> {
    if (this.#reserve === undefined) return;
    this.#log = log;
    this.#kv = kv;
    if (this.isFull) await this.#onFull();
    this.#fileId = await fileOf(this.#env.kvPath!);
    Deno.unrefTimer(setInterval(() => {
      this.#look().catch(() => {});
      this.#compare();
    }, WATCH_MS));
  }

  async #compare(): Promise<void> {
    const isReplaced = await fileOf(this.#env.kvPath!) !== this.#fileId;
    if (isReplaced && !this.isReplaced) this.#log?.error("database_replaced");
    this.isReplaced = isReplaced;
  }

  async #look(): Promise<void> {
    // A first start has no folder yet.
    const free = await freeBytes(this.#env).catch(() => null);
    if (free === null || this.#reserve === undefined) return;
    if (free < FULL) {
      await Deno.remove(this.#reserve).catch(() => {});
      if (this.isFull) return;
      this.isFull = true;
      await this.#onFull();
    } else if (free >= ROOM) {
      if (!await isFilled(this.#reserve)) {
        await (this.#filling ??= fill(this.#reserve).finally(() => this.#filling = undefined));
      }
      if (this.isFull) this.#log?.warn("disk_has_room", { freeBytes: free });
      this.isFull = false;
    }
  }

  async #onFull(): Promise<void> {
    const what = "The disk is full: reads continue, but writes are refused until 20 MB is free";
    this.#log?.error("disk_full", { what });
    if (this.#kv !== undefined) await takeRoom(this.#kv).catch(() => {});
  }
}

/**
 * Makes SQLite checkpoint its log into the database and claim the space both need from the released
 * reserve. SQLite restarts the log from the beginning without truncating it.
 */
async function takeRoom(kv: KvLike): Promise<void> {
  const keys = Array.from({ length: VALUES }, (_, n) => storeKeys.room(n));
  for (let i = 0; i < COMMITS; i++) {
    const set = kv.atomic();
    for (const key of keys) set.set(key, new Uint8Array(VALUE));
    await set.commit();
    const clear = kv.atomic();
    for (const key of keys) clear.delete(key);
    await clear.commit();
  }
}

/** Writes the reserve in full: a sparse file would reserve nothing. */
async function fill(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, mode: 0o600 });
  const block = crypto.getRandomValues(new Uint8Array(50_000));
  for (let written = 0; written < RESERVE;) written += await file.write(block);
  await file.sync();
}

/** Identifies the file at a path; null if there is none. */
async function fileOf(path: string): Promise<string | null> {
  return await Deno.stat(path).then(({ dev, ino }) => `${dev} ${ino}`, () => null);
}

/** True if the reserve was written in full: a process may end while it writes. */
async function isFilled(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ size }) => size >= RESERVE, () => false);
}
