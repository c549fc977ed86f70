import { liveThrough } from "../support/money_lives.ts";

// Two files share the 240 seeds, so that they run side by side.
Deno.test("invariants 20 to 30 hold over random interleavings with crashes between any two steps, seeds 141 to 240", async () => {
  await liveThrough(141, 240);
});
