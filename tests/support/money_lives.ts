import { assert } from "@std/assert";
import { checkAlways, checkSettled } from "./money_rules.ts";
import { MoneyWorld } from "./money_world.ts";
import { allEnded } from "./runs.ts";

const STEPS = 40;

/** What happened to money over all seeds: a simulation without events proves nothing. */
export interface MoneyTally {
  grants: number;
  accepted: number;
  captures: number;
  releases: number;
}

/** The same, plus how often a process died. */
interface Tally extends MoneyTally {
  kills: number;
}

/**
 * Runs a seed for `days`, lets it settle and checks it; a failure reports the seed and its history.
 */
export async function liveAndSettle(
  world: MoneyWorld,
  days: () => Promise<void>,
  tally: MoneyTally,
): Promise<void> {
  try {
    await days();
    await world.settleDown();
    const { grants, accepted } = await checkSettled(world);
    tally.grants += grants;
    tally.accepted += accepted;
  } catch (error) {
    throw new Error(`Seed ${world.seed}\n${world.trace.join("\n")}`, { cause: error });
  }
  for (const intent of world.stripe.intents.values()) {
    if (intent.metadata.kind !== "bid") continue;
    if (intent.status === "succeeded") tally.captures++;
    if (intent.status === "canceled") tally.releases++;
  }
}

/** Runs one seed. */
async function live(seed: number, tally: Tally, deaths?: Map<string, number>): Promise<void> {
  await using world = await MoneyWorld.make(seed, { deaths });
  await liveAndSettle(world, async () => {
    for (let step = 0; step < STEPS; step++) {
      await world.step();
      await checkAlways(world);
    }
  }, tally);
  tally.kills += world.kills;
}

/**
 * Runs seeds `from` to `to`: random interleavings of bids, orders, payments, webhooks (repeated,
 * reordered, dropped), clock jumps and jobs in two processes that die between any two steps. Throws
 * at the first broken invariant; returns what happened. `deaths` counts what died where.
 */
export async function liveThrough(
  from: number,
  to: number,
  deaths?: Map<string, number>,
): Promise<Tally> {
  const tally: Tally = { kills: 0, grants: 0, accepted: 0, captures: 0, releases: 0 };
  // Two worlds at a time: one runs while the other waits for its KV.
  let next = from;
  const liveOn = async () => {
    while (next <= to) await live(next++, tally, deaths);
  };
  await allEnded([liveOn(), liveOn()]);
  for (const [what, count] of Object.entries(tally)) {
    assert(count >= (to - from) / 4, `Only ${count} ${what}: the simulation proves little`);
  }
  return tally;
}
