import { liveThrough } from "../support/money_lives.ts";
import { rounds, runSeed } from "../support/runs.ts";

const SEEDS = rounds(25, 350);

Deno.test(`invariants 20 to 30 hold over random interleavings with crashes, seeds 1 to ${SEEDS}`, async () => {
  await liveThrough(1, SEEDS);
});

Deno.test({
  name: "invariants 20 to 30 hold over 1,000 new seeds",
  ignore: rounds(0, 1) === 0,
  async fn() {
    const first = runSeed("money lives");
    const deaths = new Map<string, number>();
    const tally = await liveThrough(first, first + 999, deaths);
    // deno-lint-ignore no-console -- what a long run proves is what happened in it
    console.log(tally, [...deaths].map(([point, count]) => `${count} ${point}`).sort());
  },
});
