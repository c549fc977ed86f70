import { z } from "zod";
import { Lru } from "../cache/lru.ts";
import { type Clock, HOUR_MS, MINUTE_MS } from "../clock.ts";
import type { Fetcher } from "../fetching/fetcher.ts";
import { sha256 } from "../text/digest.ts";

/** Where an agent's operator publishes its keys. */
const WELL_KNOWN = "/.well-known/http-message-signatures-directory";
/** How many directories to cache, how many keys of each, and how many reads per hour. */
const KEPT = 200;
const KEYS_MAX = 20;
const READS_PER_HOUR = 200;
/** How long (ms) a directory is cached, and how soon one without the key is read again. */
const FRESH_MS = HOUR_MS;
const AGAIN_MS = MINUTE_MS;

const Jwk = z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string().max(100) });
const Directory = z.object({ keys: z.array(z.unknown()) });

interface Kept {
  /** When it was read (ms). */
  at: number;
  /** By each key's thumbprint (RFC 7638). */
  keys: Promise<Map<string, CryptoKey>>;
}

/** The public keys of agents' operators, read from their hosts and cached for an hour. */
export class KeyDirectories {
  readonly #clock: Clock;
  readonly #fetcher: Pick<Fetcher, "get">;
  readonly #kept = new Lru<Kept>({ max: KEPT });
  #hour = 0;
  #reads = 0;

  constructor({ clock, fetcher }: { clock: Clock; fetcher: Pick<Fetcher, "get"> }) {
    this.#clock = clock;
    this.#fetcher = fetcher;
  }

  /** An origin's key with a thumbprint; undefined if it publishes none or can't be read. */
  async find(origin: string, thumbprint: string): Promise<CryptoKey | undefined> {
    const now = this.#clock.now();
    const before = this.#kept.get(origin);
    const key = (await before?.keys)?.get(thumbprint);
    const age = before === undefined ? Infinity : Math.abs(now - before.at);
    if (age < (key === undefined ? AGAIN_MS : FRESH_MS)) return key;
    let kept = this.#kept.get(origin);
    // Concurrent calls wait for the same read.
    if (kept === undefined || kept === before) {
      if (!this.#mayRead(now)) return undefined;
      kept = this.#kept.set(origin, { at: now, keys: this.#read(origin).catch(() => new Map()) });
    }
    return (await kept.keys).get(thumbprint);
  }

  #mayRead(now: number): boolean {
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.#hour) [this.#hour, this.#reads] = [hour, 0];
    return ++this.#reads <= READS_PER_HOUR;
  }

  async #read(origin: string): Promise<Map<string, CryptoKey>> {
    const found = await this.#fetcher.get(origin + WELL_KNOWN, { stayOnHost: true });
    const keys = new Map<string, CryptoKey>();
    if (!found.ok || found.status !== 200 || !found.url.startsWith("https:")) return keys;
    const directory = Directory.parse(JSON.parse(found.body ?? ""));
    for (const jwk of directory.keys.slice(0, KEYS_MAX)) {
      const { success, data } = Jwk.safeParse(jwk);
      if (!success) continue;
      const { kty, crv, x } = data;
      const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", true, ["verify"])
        .catch(() => null);
      if (key !== null) keys.set(sha256(JSON.stringify({ crv, kty, x })), key);
    }
    return keys;
  }
}
