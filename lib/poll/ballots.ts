import { utcDay } from "../clock.ts";
import type { Caller } from "../http/caller.ts";
import { admitAgent, dayCapKeys, spendDay } from "../http/day_caps.ts";
import { rateLimitKeys, rateLimitQueue, spendWindow } from "../http/rate_limit.ts";
import { createLogId } from "../kv/log_id.ts";
import type { Tx } from "../kv/store.ts";
import { isBlocked, isCleanName } from "../text/moderation.ts";
import { nameKey } from "../text/name_key.ts";
import type { Deps } from "./deps.ts";
import { pollKeys } from "./keys.ts";
import type { Ballot, PollClass, ReasonPointer, StoredBallot, WriteIns } from "./schema.ts";
import { placeBallot, WRITE_IN_QUEUE } from "./write_ins.ts";

/** The class that a caller's ballot counts in. */
function pollClassOf(caller: Caller): PollClass {
  const { visitorClass } = caller;
  return visitorClass === "person" ? "human" : visitorClass === "crawler" ? "other" : "ai_agent";
}

/**
 * The id for a caller's votes on a UTC day: from network and agent name for an agent with a name,
 * from the network alone for an unnamed one over MCP, otherwise from the voter's pseudonym.
 */
export function pollVoterOf(
  { identity }: Pick<Deps, "identity">,
  { caller, day }: { caller: Caller; day: string },
): string {
  const { agentName, network } = caller;
  const voter = agentName !== null
    ? identity.agent(network, nameKey(agentName))
    : caller.isMcp
    ? identity.agent(network, "")
    : caller.voter;
  return identity.ofDay(day, voter);
}

/**
 * Stores a ballot on a UTC day and replaces the voter's earlier one from that day; tallies change
 * in the same transaction. Also returns the write-in names, because no read may fail once it is
 * stored. Throws `rate_limited` (the network's hourly limit, or a daily cap of the address holder),
 * `too_many_agent_identities` (a network's 26th name of the day), `write_in_limit`.
 */
export async function storeBallot(
  deps: Deps,
  options: { ballot: Ballot; caller: Caller; via: StoredBallot["via"]; now: number },
): Promise<{ stored: StoredBallot; changed: boolean; writeIns: readonly string[] }> {
  const { ballot, caller, via, now } = options;
  const day = utcDay(now);
  const { network, holder, agentName } = caller;
  const signedBy = await caller.signedBy();
  const voter = pollVoterOf(deps, { caller, day });
  const shownAgent = agentName !== null && isCleanName(agentName) ? agentName : null;
  const queue = ballot.writeIn === null ? rateLimitQueue("pollVotes", holder) : WRITE_IN_QUEUE;

  return await deps.store.transact(async (tx) => {
    const ballotKey = pollKeys.ballot(day, voter);
    const [before, window, agents, since, writeIns, hidden, ballotCount, writeInCount] = await tx
      .store.getMany<unknown>([
        ballotKey,
        rateLimitKeys.window("pollVotes", network),
        pollKeys.network(day, network),
        pollKeys.since,
        pollKeys.writeIns,
        pollKeys.hiddenReason(ballot.reason ?? ""),
        dayCapKeys.count("ballots", now, caller),
        dayCapKeys.count("writeIns", now, caller),
      ]);
    tx.check(before!);
    tx.check(window!);
    spendWindow(tx, window!, { bucket: "pollVotes", now });
    const replaced = before!.value as StoredBallot | null;
    // A ballot on hold counts nowhere.
    const earlier = replaced?.held ? null : replaced;
    if (replaced === null) {
      if (agentName !== null) {
        admitAgent(tx, { entry: agents!, id: voter, policy: "poll_agents", now });
      }
      spendDay(tx, ballotCount!, { cap: "ballots", caller, now });
      // A fast clock may have set it to a later day.
      if (since!.value === null || since!.value as string > day) {
        tx.check(since!);
        tx.set(pollKeys.since, day);
      }
    }
    // Counted once: the same name may be clean in one spelling but not in another.
    const countedAgent = earlier?.agentName ?? null;
    if (shownAgent !== null && countedAgent === null) {
      await countAgent(tx, { day, agentName: shownAgent });
    }
    const { candidateId, names, brings } = await placeBallot(tx, {
      entry: writeIns as Deno.KvEntryMaybe<WriteIns>,
      ballot,
      earlier,
      day,
    });
    if (brings) spendDay(tx, writeInCount!, { cap: "writeIns", caller, now });
    const stored: StoredBallot = {
      ...ballot,
      reasonId: ballot.reason === null ? null : createLogId(now),
      reasonPrivate: ballot.reason !== null && (hidden!.value !== null || isBlocked(ballot.reason)),
      candidateId,
      voterClass: pollClassOf(caller),
      agentName: shownAgent ?? countedAgent,
      ...(signedBy !== null && { signedBy }),
      via,
      votedAt: now,
    };
    tx.set(ballotKey, stored);
    moveVote(tx, { day, earlier, stored });
    moveReason(tx, { earlier, stored, pointer: { day, voter } });
    tx.pulse({ kind: "ballot", slug: "poll", delta: replaced === null ? 1 : 0 });
    return { stored, changed: replaced !== null, writeIns: names };
  }, { queue });
}

/** Counts a ballot under an agent's name. The name shows as first spelled. */
async function countAgent(tx: Tx, options: { day: string; agentName: string }): Promise<void> {
  const key = nameKey(options.agentName);
  tx.sum(pollKeys.agentVotes(options.day, key), 1n);
  const known = await tx.peek(pollKeys.agent(key));
  if (known.value === null) tx.set(pollKeys.agent(key), options.agentName);
}

/** Moves the vote from the earlier ballot's tally to the new one's, unless they are the same. */
function moveVote(
  tx: Tx,
  { day, earlier, stored }: { day: string; earlier: StoredBallot | null; stored: StoredBallot },
): void {
  const tally = (ballot: StoredBallot, way: "up" | "down") =>
    pollKeys.tally(day, ballot.voterClass, ballot.candidateId, way);
  const isSame = earlier?.candidateId === stored.candidateId &&
    earlier.voterClass === stored.voterClass;
  if (isSame) return;
  if (earlier !== null) tx.sum(tally(earlier, "down"), 1n);
  tx.sum(tally(stored, "up"), 1n);
}

/** Removes the earlier reason from the public list, and adds the new one unless it is private. */
function moveReason(
  tx: Tx,
  { earlier, stored, pointer }: {
    earlier: StoredBallot | null;
    stored: StoredBallot;
    pointer: ReasonPointer;
  },
): void {
  if (earlier?.reasonId) tx.delete(pollKeys.reason(earlier.reasonId));
  if (stored.reasonId !== null && !stored.reasonPrivate) {
    tx.set(pollKeys.reason(stored.reasonId), pointer);
  }
}
