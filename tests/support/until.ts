import { delay } from "@/lib/clock.ts";

/**
 * Waits until `condition` holds, checking every 10 ms; returns how long that took (ms). Throws
 * after `ms`, which allows for a loaded machine; the service doesn't promise it.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  ms = 20_000,
): Promise<number> {
  const startedAt = performance.now();
  while (!await condition()) {
    if (performance.now() - startedAt > ms) throw new Error(`Not within ${ms} ms: ${what}`);
    await delay(10);
  }
  return performance.now() - startedAt;
}
