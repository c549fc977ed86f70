import type { CachedRead } from "../cache/cached_read.ts";
import type { Deps as DiscoveryDeps } from "../discovery/deps.ts";
import type { Fetching } from "../fetching/fetcher.ts";
import type { DiskGuard } from "../kv/disk_guard.ts";
import type { LogTail } from "../kv/tail.ts";
import type { PlacementSync } from "../promotions/placement_sync.ts";
import type { WatchedJob } from "./jobs.ts";
import type { HealthBody } from "./schema.ts";

export interface Deps extends DiscoveryDeps, Fetching {
  /** Watches the disk of a server's database; null elsewhere. */
  disk: DiskGuard | null;
  /** The health of this process. */
  health: CachedRead<HealthBody>;
  /** Every job of the service. */
  jobs: readonly WatchedJob[];
  /** Keeps the catalogue in sync with paid placements. */
  placements: PlacementSync;
  /** Tells this process's listeners what other processes write. */
  tail: LogTail;
}
