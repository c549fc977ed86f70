import { fail } from "@std/assert";
import process from "node:process";

/**
 * Processor time that this thread has taken so far, in ms: however busy the machine is, the work of
 * others is not in it. Deno tells it in steps of 10 ms.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Asserts that `run` takes less than `ms` of this thread's processor time in the fastest of three
 * runs: what the first one compiles is not its own. Returns what it returned.
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
