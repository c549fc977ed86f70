/**
 * Decides whether a concurrent history is linearizable (Wing and Gong 1993, with Lowe's memory of
 * visited configurations): every operation takes effect at one moment between its call and its
 * return.
 */

/** One operation of a history. Times only need to be comparable. */
export interface Operation<I, O> {
  input: I;
  /** The response; undefined if there was none: it may have taken effect at any time, or never. */
  output?: O;
  calledAt: number;
  /** When the response arrived; Infinity without one. */
  returnedAt: number;
  /** The index of an operation that must come before this one in the linearization. */
  after?: number;
}

/** The object's sequential specification. */
export interface Model<S, I, O> {
  initial: S;
  /** The state after `input`, or null if `output` can't be its response in `state`. */
  step(state: S, input: I, output: O | undefined): S | null;
  /** Names a state, for the memory of configurations. */
  key(state: S): string;
}

/** True if some order of the operations that respects their times explains every response. */
export function isLinearizable<S, I, O>(
  model: Model<S, I, O>,
  history: readonly Operation<I, O>[],
): boolean {
  const n = history.length;
  const order = [...history.keys()].sort((a, b) => history[a]!.calledAt - history[b]!.calledAt);
  const done = new Uint8Array(n);
  const visited = new Set<string>();
  const stack: { op: number; state: S }[] = [];
  let state = model.initial;
  let completed = 0;
  const answered = history.filter((operation) => operation.output !== undefined).length;

  /** The operations that may come next: called before every unfinished, answered one returned. */
  function candidates(): number[] {
    let earliest = Infinity;
    for (const op of order) {
      if (!done[op]) earliest = Math.min(earliest, history[op]!.returnedAt);
    }
    return order.filter((op) =>
      !done[op] && history[op]!.calledAt <= earliest &&
      (history[op]!.after === undefined || done[history[op]!.after!] === 1)
    );
  }

  function advance(from: number): boolean {
    const options = candidates();
    for (let i = from; i < options.length; i++) {
      const op = options[i]!;
      const { input, output } = history[op]!;
      const next = model.step(state, input, output);
      if (next === null) continue;
      done[op] = 1;
      const configuration = `${done.join("")} ${model.key(next)}`;
      if (visited.has(configuration)) {
        done[op] = 0;
        continue;
      }
      visited.add(configuration);
      stack.push({ op, state });
      state = next;
      if (output !== undefined) completed++;
      return true;
    }
    return false;
  }

  let from = 0;
  while (completed < answered) {
    if (advance(from)) {
      from = 0;
      continue;
    }
    const last = stack.pop();
    if (last === undefined) return false;
    done[last.op] = 0;
    if (history[last.op]!.output !== undefined) completed--;
    state = last.state;
    from = candidates().indexOf(last.op) + 1;
  }
  return true;
}

/** The input to a voter set: a read of its count, or one voter's vote. */
export type VoteInput = { type: "count" } | { type: "vote"; voter: number; voted: boolean };
/** The response: a count, or whether the vote changed anything. */
export type VoteOutput = { count: number } | { changed: boolean };

/** The votes on one listing: the set of its voters, one bit per voter. */
export const voteModel: Model<bigint, VoteInput, VoteOutput> = {
  initial: 0n,
  key: (state) => state.toString(36),
  step(state, input, output) {
    if (input.type === "count") {
      const count = [...state.toString(2)].filter((bit) => bit === "1").length;
      return output === undefined || (output as { count: number }).count === count ? state : null;
    }
    const bit = 1n << BigInt(input.voter);
    const changed = ((state & bit) !== 0n) !== input.voted;
    if (output !== undefined && (output as { changed: boolean }).changed !== changed) return null;
    return input.voted ? state | bit : state & ~bit;
  },
};

/** The input to an auction: a read of its high bid, or a bid with a confirmed hold to accept. */
export type BidInput = { type: "read" } | { type: "confirm"; amountCents: number };
/** The response: the high bid (0 without one), or whether the bid was accepted. */
export type BidOutput = { highCents: number } | { accepted: boolean };

/** An open auction: its high bid in cents. The minimum is reimplemented here from the contract. */
export const bidModel: Model<number, BidInput, BidOutput> = {
  initial: 0,
  key: String,
  step(high, input, output) {
    if (input.type === "read") {
      return output === undefined || (output as { highCents: number }).highCents === high
        ? high
        : null;
    }
    const step = Math.max(100, Math.floor((high * 5 + 99) / 100));
    const accepted = input.amountCents >= (high === 0 ? 1_000 : high + step);
    if (output !== undefined && (output as { accepted: boolean }).accepted !== accepted) {
      return null;
    }
    return accepted ? input.amountCents : high;
  },
};
