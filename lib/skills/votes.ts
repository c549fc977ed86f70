import type { Caller } from "../http/caller.ts";
import type { VoteState } from "../votes/schema.ts";
import { getVote, setVote, type VoteTarget } from "../votes/service.ts";
import type { Deps } from "./deps.ts";

/** The caller's vote on a skill. Throws `not_found`. */
export function getSkillVote(
  deps: Deps,
  options: { slug: string; caller: Caller },
): Promise<VoteState> {
  return getVote(deps.store, voteTarget(deps, options.slug), options.caller);
}

/** Casts or removes the caller's vote on a skill. Throws `not_found`, `rate_limited`. */
export function setSkillVote(
  deps: Deps,
  options: { slug: string; caller: Caller; voted: boolean },
): Promise<VoteState> {
  return setVote(deps.store, voteTarget(deps, options.slug), options);
}

function voteTarget({ skills }: Deps, slug: string): VoteTarget {
  const shown = () => skills.countsOf(slug).votes;
  return { kind: "skill", slug, shown };
}
