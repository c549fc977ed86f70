import { LIMITS } from "../limits.ts";

interface AgentVotes {
  key: string;
  votes: number;
}

/**
 * Twice as many as shown, since the operator may hide some (if over half are hidden, the list is
 * short).
 */
const MAX = 2 * LIMITS.agentsShown;

/** The agents with the most ballots in a window. During one UTC day, counts only rise. */
export class TopAgents {
  readonly #votes: Map<string, number>;
  #top: readonly AgentVotes[];

  /** Takes the ballots by name key, and keeps counting in that map. */
  constructor(votes: Map<string, number>) {
    this.#votes = votes;
    this.#top = leading([...votes].map(([key, votes]) => ({ key, votes })));
  }

  /** The agents with the most ballots first, then by key. */
  get entries(): readonly AgentVotes[] {
    return this.#top;
  }

  /** Adds ballots to an agent's count. */
  add(key: string, more: number): void {
    const votes = (this.#votes.get(key) ?? 0) + more;
    this.#votes.set(key, votes);
    this.#top = leading([...this.#top.filter((agent) => agent.key !== key), { key, votes }]);
  }
}

function leading(agents: AgentVotes[]): AgentVotes[] {
  return agents.sort((a, b) => b.votes - a.votes || (a.key < b.key ? -1 : 1)).slice(0, MAX);
}
