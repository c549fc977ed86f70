import { delay } from "@/lib/clock.ts";
import type { KvLike } from "@/lib/kv/store.ts";
import { seededRandom } from "./runs.ts";

/** What can go wrong in one KV operation. */
type KvFault =
  /** A commit throws without writing anything. */
  | "throw_before"
  /** A commit throws after writing everything: the caller can't know. */
  | "throw_after"
  /** A commit responds long after its deadline, and lands only then. */
  | "hang"
  /** A commit reports a failed check although none failed. */
  | "not_ok"
  /** A commit reports that another process has locked the file; nothing was written. */
  | "locked"
  /** A read throws. */
  | "read_throws";

/** The probability (0 to 1) of each fault per operation. */
export type FaultRates = Partial<Record<KvFault, number>>;

/** How long a hanging operation waits before it lands, in ms; tests use a shorter deadline. */
export const HANG_MS = 60;

/**
 * A KV that fails at random, by a seed. `injected` counts its faults; `settled()` waits until no
 * hanging operation is in progress, after which `rates = {}` makes it a plain KV.
 */
export class FaultKv implements KvLike {
  readonly injected: Record<KvFault, number> = {
    throw_before: 0,
    throw_after: 0,
    hang: 0,
    not_ok: 0,
    locked: 0,
    read_throws: 0,
  };
  rates: FaultRates;
  readonly #inner: Deno.Kv;
  readonly #random: () => number;
  readonly #hanging = new Set<Promise<unknown>>();

  readonly #hangMs: number;

  constructor(inner: Deno.Kv, options: { seed: number; rates: FaultRates; hangMs?: number }) {
    this.#hangMs = options.hangMs ?? HANG_MS;
    this.#inner = inner;
    this.#random = seededRandom(options.seed);
    this.rates = options.rates;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#hanging);
  }

  async get<T>(
    key: Deno.KvKey,
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<Deno.KvEntryMaybe<T>> {
    this.#failRead();
    return await this.#inner.get<T>(key, options);
  }

  async getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    this.#failRead();
    return await this.#inner.getMany<T>(keys, options);
  }

  list<T>(selector: Deno.KvListSelector, options?: Deno.KvListOptions): Deno.KvListIterator<T> {
    this.#failRead();
    return this.#inner.list<T>(selector, options);
  }

  atomic(): Deno.AtomicOperation {
    const operation = this.#inner.atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = () => this.#commit(commit);
    return operation;
  }

  close(): void {
    this.#inner.close();
  }

  async #commit(
    commit: () => Promise<Deno.KvCommitResult | Deno.KvCommitError>,
  ): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    if (this.#strikes("throw_before")) throw new Error("injected: connection refused");
    if (this.#strikes("locked")) throw new TypeError("database is locked");
    if (this.#strikes("not_ok")) return { ok: false };
    if (this.#strikes("hang")) {
      const late = delay(this.#hangMs).then(commit);
      this.#hanging.add(late);
      return await late;
    }
    const afterward = this.#strikes("throw_after");
    const result = await commit();
    if (afterward) throw new Error("injected: connection lost after commit");
    return result;
  }

  #failRead(): void {
    if (this.#strikes("read_throws")) throw new Error("injected: read failed");
  }

  #strikes(fault: KvFault): boolean {
    const rate = this.rates[fault] ?? 0;
    if (rate === 0 || this.#random() >= rate) return false;
    this.injected[fault]++;
    return true;
  }
}
