import type { Store } from "../kv/store.ts";
import { pollKeys } from "./keys.ts";
import type { PollClass } from "./schema.ts";
import { addToTally, noVotes, type Tally, type Votes } from "./tally.ts";

/** A day after all others, for open-ended ranges. */
const NEVER = "9999-12-31";

/** Tallies by UTC day, from the day `from` to before the day `until`. */
export async function readTallies(
  store: Store,
  from: string,
  until = NEVER,
): Promise<Map<string, Tally>> {
  const days = new Map<string, Tally>();
  const batches = store.listBatches<Deno.KvU64>(range(pollKeys.allTallies, from, until));
  for await (const batch of batches) {
    for (const { key, value } of batch) {
      const [, day, voterClass, id, way] = key as [string, string, PollClass, string, string];
      const tally: Tally = days.get(day) ?? new Map();
      days.set(day, tally);
      addToTally(tally, id, voterClass, Number(value.value) * (way === "up" ? 1 : -1));
    }
  }
  return days;
}

/** Tallies and ballots by agent, for each of these days. */
export async function readDays(
  store: Store,
  from: string,
  until = NEVER,
): Promise<Map<string, Votes>> {
  const days = new Map<string, Votes>();
  for (const [day, tally] of await readTallies(store, from, until)) {
    days.set(day, { ...noVotes(), tally });
  }
  const batches = store.listBatches<Deno.KvU64>(range(pollKeys.allAgentVotes, from, until));
  for await (const batch of batches) {
    for (const { key, value } of batch) {
      const [, day, agent] = key as [string, string, string];
      const votes = days.get(day) ?? noVotes();
      days.set(day, votes);
      votes.agents.set(agent, Number(value.value));
    }
  }
  return days;
}

function range(prefix: readonly string[], from: string, until: string): Deno.KvListSelector {
  return { start: [...prefix, from], end: [...prefix, until] };
}
