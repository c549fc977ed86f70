import { nameKey } from "../text/name_key.ts";
import type { PollClass } from "./schema.ts";

/**
 * Keys of the poll.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["poll_ballots", UTC day, voter or agent, as of that day] | `StoredBallot` | `storeBallot`, `hideReason`, `held.ts`, `forgetAgent` |
 * | ["poll_tallies", UTC day, class, candidate id, "up" or "down"] | u64; votes = up - down | `storeBallot`, `held.ts` |
 * | ["poll_agent_votes", UTC day, name key] | u64, ballots cast under the name | `storeBallot`, `held.ts`, `forgetAgent` |
 * | ["poll_agents", name key] | `StoredAgent`: the name as it was first spelled | `storeBallot`, `setAgentHidden`, `forgetAgent` |
 * | ["poll_networks", UTC day, network] | ids of the agents that voted, as in `poll_ballots`, at most 25; expires | `storeBallot` |
 * | ["poll_write_ins"] | `WriteIns`: the distinct write-in names, at most 200 | `storeBallot`, `removeWriteIn`, `held.ts` |
 * | ["poll_reasons", reason id] | `ReasonPointer` of a public reason; ids sort by time | `storeBallot`, `hideReason`, `held.ts`, `forgetAgent` |
 * | ["poll_hidden_reasons", name key] | when (ms) an operator hid a reason of this text, in any spelling that counts as the same | `hideReason` |
 * | ["poll_since"] | the UTC day of the first ballot | `storeBallot` |
 */
export const pollKeys = {
  ballot: (day: string, voter: string) => ["poll_ballots", day, voter],
  ballots: (day: string) => ["poll_ballots", day],
  allBallots: ["poll_ballots"],
  tally: (day: string, voterClass: PollClass, id: string, way: "up" | "down") => [
    "poll_tallies",
    day,
    voterClass,
    id,
    way,
  ],
  allTallies: ["poll_tallies"],
  agentVotes: (day: string, name: string) => ["poll_agent_votes", day, name],
  allAgentVotes: ["poll_agent_votes"],
  agent: (name: string) => ["poll_agents", name],
  allAgents: ["poll_agents"],
  network: (day: string, network: string) => ["poll_networks", day, network],
  writeIns: ["poll_write_ins"],
  reason: (id: string) => ["poll_reasons", id],
  reasons: ["poll_reasons"],
  hiddenReason: (reason: string) => ["poll_hidden_reasons", nameKey(reason)],
  since: ["poll_since"],
} as const;
