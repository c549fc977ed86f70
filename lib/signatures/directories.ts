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
const Published = z.object({ keys: z.array(z.unknown()) });

interface Directory {
  /** When it was read (ms). */
  at: number;
  /** By each key's thumbprint (RFC 7638). */
  keys: Map<string, CryptoKey>;
}

interface Kept {
  /** When it was last tried (ms). */
  triedAt: number;
  /** The last directory that could be read. */
  directory: Promise<Directory | undefined>;
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
    const known = await before?.directory;
    const key = keyIn(known, thumbprint, now);
    if (key !== undefined) return key;
    if (before !== undefined && Math.abs(now - before.triedAt) < AGAIN_MS) return undefined;
    let kept = this.#kept.get(origin);
    // Concurrent calls wait for the same read.
    if (kept === undefined || kept === before) {
      if (!this.#mayRead(now)) return undefined;
      const directory = this.#read(origin).then((keys) => ({ at: now, keys }), () => known);
      kept = this.#kept.set(origin, { triedAt: now, directory });
    }
    return keyIn(await kept.directory, thumbprint, now);
  }

  #mayRead(now: number): boolean {
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.#hour) [this.#hour, this.#reads] = [hour, 0];
    return ++this.#reads <= READS_PER_HOUR;
  }

  async #read(origin: string): Promise<Map<string, CryptoKey>> {
    const found = await this.#fetcher.get(origin + WELL_KNOWN, { stayOnHost: true });
    const keys = new Map<string, CryptoKey>();
    if (!found.ok) throw new Error(found.problem);
    // The host can't answer right now; any other status says that there is no directory.
    if (found.status === 429 || found.status >= 500) throw new Error(`Status ${found.status}`);
    if (found.status !== 200 || !found.url.startsWith("https:")) return keys;
    const published = Published.parse(JSON.parse(found.body ?? ""));
    for (const jwk of published.keys.slice(0, KEYS_MAX)) {
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

/** A directory's key, unless the directory was read too long ago. */
function keyIn(
  directory: Directory | undefined,
  thumbprint: string,
  now: number,
): CryptoKey | undefined {
  if (directory === undefined || Math.abs(now - directory.at) >= FRESH_MS) return undefined;
  return directory.keys.get(thumbprint);
}
