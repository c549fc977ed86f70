import { storeKeys } from "./keys.ts";

/**
 * For how long (ms) a process assumes that it is not the only writer, once another one has logged
 * something.
 */
export const SHARED_MS = 5_000;

/**
 * Knows whether this process is the only one that writes to the log, so that what it counted itself
 * is complete. Such a time is called a term. A term begins when the revision is read; during it,
 * every commit checks that the revision is as this process left it. The first commit that finds it
 * different ends the term, whoever moved it: another process, or a commit of our own whose outcome
 * was unknown.
 */
export class SoleWriter {
  #terms = 0;
  /**
   * The versionstamp of the revision during a term (null if it is absent); undefined outside of
   * one.
   */
  #versionstamp: string | null | undefined;
  #sharedUntil = 0;

  constructor(readonly sharedMs: number) {}

  /** The number of the current term, a new one for each; null outside of a term. */
  get term(): number | null {
    return this.#versionstamp === undefined ? null : this.#terms;
  }

  /** The check that each commit of a term makes; null outside of a term. */
  get check(): Deno.AtomicCheck | null {
    const versionstamp = this.#versionstamp;
    return versionstamp === undefined ? null : { key: [...storeKeys.revision], versionstamp };
  }

  /**
   * Begins a term, unless one runs or others wrote a moment ago. `versionstamp` is the revision's,
   * and no commit of this process may be under way.
   */
  begin(versionstamp: string | null): void {
    if (this.#versionstamp !== undefined || performance.now() < this.#sharedUntil) return;
    this.#terms++;
    this.#versionstamp = versionstamp;
  }

  /** Notes the versionstamp that a commit of this term gave the revision. */
  moved(versionstamp: string): void {
    this.#versionstamp = versionstamp;
  }

  /** Ends the term. */
  end(): void {
    this.#versionstamp = undefined;
    this.#sharedUntil = performance.now() + this.sharedMs;
  }
}
