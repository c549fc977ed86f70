import { LIMITS } from "../limits.ts";
import { Top } from "../top.ts";

interface AgentVotes {
  key: string;
  votes: number;
}

/**
 * The agents that cast the most ballots in a window, twice as many as are shown, since the operator
 * may hide some (of more than half, the list gets short). During one UTC day, counts only rise.
 */
export class TopAgents {
  readonly #votes: Map<string, number>;
  readonly #top = new Top<AgentVotes>({
    max: 2 * LIMITS.agentsShown,
    idOf: ({ key }) => key,
    isBefore: (a, b) => a.votes > b.votes || (a.votes === b.votes && a.key < b.key),
  });

  /** Takes the ballots by key of the agent's name, and goes on counting in that map. */
  constructor(votes: Map<string, number>) {
    this.#votes = votes;
    for (const [key, count] of votes) this.#top.offer({ key, votes: count });
  }

  /** The agents with the most ballots first, then by key. */
  get entries(): readonly AgentVotes[] {
    return this.#top.entries;
  }

  /** Counts more ballots of an agent. */
  add(key: string, more: number): void {
    const votes = (this.#votes.get(key) ?? 0) + more;
    this.#votes.set(key, votes);
    this.#top.offer({ key, votes });
  }
}
