import type { Deps as DiscoveryDeps } from "../discovery/deps.ts";
import type { Deps as OwnerDeps } from "../owners/deps.ts";

export interface Deps extends DiscoveryDeps, OwnerDeps {}
