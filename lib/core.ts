import type { CachedRead } from "./cache/cached_read.ts";
import type { Clock } from "./clock.ts";
import type { Env } from "./env.ts";
import type { Blocks } from "./http/blocks.ts";
import type { Identity } from "./http/identity.ts";
import type { Store } from "./kv/store.ts";
import type { Log } from "./log.ts";
import type { Urls } from "./urls.ts";

/**
 * The dependencies shared by all features. A feature's `deps.ts` adds what else it needs;
 * `lib/app/deps.ts` creates everything.
 */
export interface Core {
  env: Env;
  clock: Clock;
  /** When this process started (ms). */
  startedAt: number;
  store: Store;
  urls: Urls;
  identity: Identity;
  /** Networks blocked by the operator. */
  blocks: CachedRead<Blocks>;
  log: Log;
}
