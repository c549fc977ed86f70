import type { Deps } from "./deps.ts";

/**
 * A function that makes its value once for each set of dependencies, of which a process or test has
 * one.
 */
export function oncePerDeps<T>(make: (deps: Deps) => T): (deps: Deps) => T {
  const made = new WeakMap<Deps, T>();
  return (deps) => made.getOrInsertComputed(deps, make);
}
