import { statfs } from "node:fs";
import { promisify } from "node:util";
import type { Env } from "../env.ts";
import type { Log } from "../log.ts";
import { storeKeys } from "./keys.ts";
import { dataFolder } from "./open.ts";
import type { KvLike } from "./store.ts";

/** With less than this free (bytes) the reserve is given up and no commit is taken. */
const FULL = 1_000_000;
/** From this on commits are taken again, and the reserve is made again. */
const ROOM = 20_000_000;
const RESERVE = 8_000_000;
/** How often (ms) the disk is looked at. */
const WATCH_MS = 500;
/** How many bytes one value of KV may have, and how many commits fill SQLite's log with them. */
const VALUE = 60_000;
const VALUES = 12;
const COMMITS = 8;

/**
 * How many bytes are free on the disk of the embedded KV file; null where there is no such file.
 * Throws where this may not be asked.
 */
export async function freeBytes(env: Pick<Env, "kvPath">): Promise<number | null> {
  const folder = dataFolder(env);
  if (folder === undefined) return null;
  const { bavail, bsize } = await promisify(statfs)(folder);
  return bavail * bsize;
}

/**
 * Keeps a service alive on a full disk. Deno ends the process if its KV cannot delete what has
 * expired, which needs a little room. So a file is kept in reserve, and given up when there is room
 * for nothing else; commits are refused then. SQLite takes at once what deleting will need, so that
 * nothing else can eat it.
 */
export class DiskGuard {
  readonly #env: Pick<Env, "kvPath">;
  readonly #reserve: string | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #log: Log | undefined;
  #kv: KvLike | undefined;
  /** Whether commits are refused. */
  isFull = false;

  constructor(env: Pick<Env, "kvPath">) {
    this.#env = env;
    const folder = dataFolder(env);
    this.#reserve = folder && `${folder}/reserve`;
  }

  /** Looks at the disk before KV is opened: with the reserve given up, it can be. */
  async prepare(): Promise<void> {
    await this.#look().catch(() => {});
  }

  /** Watches the disk from now on. */
  async start(kv: KvLike, log: Log): Promise<void> {
    if (this.#reserve === undefined) return;
    this.#log = log;
    this.#kv = kv;
    if (this.isFull) await this.#goOn();
    this.#timer = setInterval(() => this.#look().catch(() => {}), WATCH_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Ends the watch. */
  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    // A first start has no folder yet.
    const free = await freeBytes(this.#env).catch(() => null);
    if (free === null || this.#reserve === undefined) return;
    if (free < FULL) {
      await Deno.remove(this.#reserve).catch(() => {});
      if (this.isFull) return;
      this.isFull = true;
      await this.#goOn();
    } else if (free >= ROOM) {
      if (!await exists(this.#reserve)) await fill(this.#reserve);
      if (this.isFull) this.#log?.warn("disk_has_room", { freeBytes: free });
      this.isFull = false;
    }
  }

  async #goOn(): Promise<void> {
    const what = "The disk is full: reads go on, writes are refused until 20 MB are free";
    this.#log?.error("disk_full", { what });
    if (this.#kv !== undefined) await takeRoom(this.#kv).catch(() => {});
  }
}

/**
 * Has SQLite write its log into the database, and take what both need from the room that the reserve
 * left. It writes the log anew from its start, and does not cut it.
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

/** Writes the reserve, all of it: a hole would reserve nothing. */
async function fill(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
  const block = crypto.getRandomValues(new Uint8Array(50_000));
  for (let written = 0; written < RESERVE;) written += await file.write(block);
  await file.sync();
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
