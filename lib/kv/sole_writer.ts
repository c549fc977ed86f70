import { storeKeys } from "./keys.ts";

/** How long (ms) a process takes itself for one of several once another one has logged something. */
export const SHARED_MS = 5_000;

/**
 * Whether this process alone writes to the log, so that what it counted itself is all there is. A term begins
 * with a reading of the revision; in it, every commit checks that the revision is as this process left it.
 * The first commit that finds it otherwise ends the term, whoever moved it: another process, or a commit of
 * our own whose outcome was not known.
 */
export class SoleWriter {
  #terms = 0;
  /** The versionstamp that the revision has as long as the term lasts; undefined outside of one. */
  #versionstamp: string | null | undefined;
  #sharedUntil = 0;

  constructor(readonly sharedMs: number) {}

  /** The number of the term, each has another; null outside of one. */
  get term(): number | null {
    return this.#versionstamp === undefined ? null : this.#terms;
  }

  /** What a commit checks in a term. */
  get check(): Deno.AtomicCheck | null {
    const versionstamp = this.#versionstamp;
    return versionstamp === undefined ? null : { key: [...storeKeys.revision], versionstamp };
  }

  /** Begins a term, unless there is one or others wrote a moment ago; nothing may be under way from here. */
  begin(versionstamp: string | null): void {
    if (this.#versionstamp !== undefined || performance.now() < this.#sharedUntil) return;
    this.#terms++;
    this.#versionstamp = versionstamp;
  }

  /** Goes on with what a checked commit made of the revision. */
  moved(versionstamp: string): void {
    this.#versionstamp = versionstamp;
  }

  /** Ends the term. */
  end(): void {
    this.#versionstamp = undefined;
    this.#sharedUntil = performance.now() + this.sharedMs;
  }
}
