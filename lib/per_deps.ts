import type { Deps } from "./deps.ts";

/** Makes a function that makes its value once for each set of dependencies: a process, or a test. */
export function oncePerDeps<T>(make: (deps: Deps) => T): (deps: Deps) => T {
  const made = new WeakMap<Deps, { value: T }>();
  return (deps) => {
    let known = made.get(deps);
    if (known === undefined) made.set(deps, known = { value: make(deps) });
    return known.value;
  };
}
