import { liveThrough } from "../support/money_lives.ts";

// Two files share the 350 seeds, so that they run side by side.
Deno.test("invariants 20 to 30 hold over random interleavings with crashes between any two steps, seeds 251 to 350", async () => {
  await liveThrough(251, 350);
});
