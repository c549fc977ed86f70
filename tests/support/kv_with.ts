import { SERVER_CHECKS_MAX } from "@/lib/kv/group_commit.ts";
import type { KvLike } from "@/lib/kv/store.ts";

type Commit = Deno.AtomicOperation["commit"];

/** What a KV does differently from the one it wraps. */
export interface KvChanges {
  /**
   * Called with a method's name before each method except `close`; if it throws, so does the
   * method.
   */
  before?: (method: keyof KvLike) => void;
  get?: (key: Deno.KvKey) => Promise<Deno.KvEntryMaybe<unknown>>;
  getMany?: (keys: Deno.KvKey[]) => Promise<Deno.KvEntryMaybe<unknown>[]>;
  list?: (
    selector: { prefix: Deno.KvKey },
    options?: Deno.KvListOptions,
  ) => AsyncIterableIterator<Deno.KvEntry<unknown>>;
  close?: () => void;
  /** Changes the methods of each atomic operation. */
  operation?: (operation: Deno.AtomicOperation) => void;
  /** Replaces each commit; `land` is the real one. */
  commit?: (land: Commit) => ReturnType<Commit>;
}

/** The same KV with `changes`: what a test delays, fails or counts. */
export function kvWith<T extends KvLike>(kv: T, changes: KvChanges): T {
  const { before, operation: change, commit, ...methods } = changes;
  const replaced = {
    atomic() {
      const operation = kv.atomic();
      change?.(operation);
      if (commit !== undefined) {
        const land = operation.commit.bind(operation);
        operation.commit = () => commit(land);
      }
      return operation;
    },
    ...methods,
  };
  return new Proxy(kv, {
    get(target, name) {
      const value: unknown = Reflect.get(name in replaced ? replaced : target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name !== "close") before?.(name as keyof KvLike);
        return value.apply(target, args);
      };
    },
  });
}

/** Adds the keys that an operation checks to `overchecked` if a KV server would refuse so many. */
export function watchChecks(operation: Deno.AtomicOperation, overchecked: Set<string>): void {
  const check = operation.check.bind(operation);
  const checked: Deno.KvKeyPart[] = [];
  operation.check = (...checks) => {
    checked.push(...checks.map(({ key }) => key[0]!));
    if (checked.length > SERVER_CHECKS_MAX) overchecked.add(checked.join());
    return check(...checks);
  };
}

/** The same KV, which reports each entry that its lists return. */
export function kvListing(
  kv: Deno.Kv,
  onEntry: (entry: Deno.KvEntry<unknown>) => void,
): Deno.Kv {
  return kvWith(kv, {
    async *list(selector, options) {
      for await (const entry of kv.list(selector, options)) {
        onEntry(entry);
        yield entry;
      }
    },
  });
}

/** A KV whose next commit waits for `overtake`, during which others write. */
export async function overtakenKv() {
  const others = await Deno.openKv(":memory:");
  let next: (() => Promise<unknown>) | undefined;
  const kv = kvWith(others, {
    async commit(land) {
      const meanwhile = next;
      next = undefined;
      await meanwhile?.();
      return await land();
    },
  });
  return { kv, others, overtake: (by: typeof next) => next = by };
}

/** A KV that can be made to fail. */
export async function failingKv() {
  const storage = { fails: false };
  const kv = kvWith(await Deno.openKv(":memory:"), {
    before() {
      if (storage.fails) throw new Error("down");
    },
  });
  return { kv, storage };
}
