import type { CachedRead } from "./cache/cached_read.ts";
import type { Clock } from "./clock.ts";
import type { Env } from "./env.ts";
import type { Blocks } from "./http/blocks.ts";
import type { RequestVerifier } from "./http/caller.ts";
import type { Identity } from "./http/identity.ts";
import type { Store } from "./kv/store.ts";
import type { Log } from "./log.ts";
import type { Urls } from "./urls.ts";

/**
 * What every feature works with. A feature's `deps.ts` adds what else it needs; `lib/app/deps.ts` makes
 * all of it.
 */
export interface Core {
  env: Env;
  clock: Clock;
  /** When this process began (ms). */
  startedAt: number;
  store: Store;
  urls: Urls;
  identity: Identity;
  /** The networks that the operator has blocked. */
  blocks: CachedRead<Blocks>;
  log: Log;
  /** Tells who signed a request. */
  signatures: RequestVerifier;
}
