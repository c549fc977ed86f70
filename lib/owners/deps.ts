import type { Fetching } from "../fetching/fetcher.ts";
import type { Deps as ListingDeps } from "../listings/deps.ts";
import type { Deps as SkillDeps } from "../skills/deps.ts";

export interface Deps extends Fetching, ListingDeps, SkillDeps {}
