import { fail } from "@std/assert";
import process from "node:process";

/**
 * This thread's processor time so far, in ms. It doesn't depend on the machine's other load. Deno
 * reports it in steps of 10 ms.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Asserts that `run` takes less than `ms` of this thread's processor time in the fastest of three
 * runs, since the first one includes compilation. Returns its result.
 */
export function assertQuick<T>(ms: number, label: string, run: () => T): T {
  let fastest = Infinity;
  for (let i = 0; i < 3; i++) {
    const before = threadMs();
    const result = run();
    fastest = Math.min(fastest, threadMs() - before);
    if (fastest < ms) return result;
  }
  return fail(`${label} took ${Math.round(fastest)} ms`);
}
