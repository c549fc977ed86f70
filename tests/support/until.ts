import { delay } from "@/lib/clock.ts";

/** How long (ms) to wait on a loaded machine; the service doesn't promise it. */
const MOST_MS = 20_000;

/** Waits until `condition` holds, checking every 10 ms; returns how long that took (ms). */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<number> {
  const startedAt = performance.now();
  while (!await condition()) {
    if (performance.now() - startedAt > MOST_MS) {
      throw new Error(`Not within ${MOST_MS} ms: ${what}`);
    }
    await delay(10);
  }
  return performance.now() - startedAt;
}
