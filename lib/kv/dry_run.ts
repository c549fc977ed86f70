import type { KvLike } from "./store.ts";

/**
 * A KV that reads from the real one and writes nothing. A commit sends only the checks and returns
 * the same result as the real commit.
 */
export function dryRunKv(kv: KvLike): KvLike {
  return {
    get: (key, options) => kv.get(key, options),
    getMany: (keys, options) => kv.getMany(keys, options),
    list: (selector, options) => kv.list(selector, options),
    close: () => kv.close(),
    atomic() {
      const checks = kv.atomic();
      const operation = new Proxy(checks, {
        get(target, name) {
          if (name === "check") {
            return (...entries: Deno.AtomicCheck[]) => (target.check(...entries), operation);
          }
          if (name === "commit") return () => target.commit();
          return () => operation;
        },
      });
      return operation;
    },
  };
}
