import type { KeyUse, KeyUses, Sealed } from "./tx.ts";

/** How many checks KV takes in one operation. */
export const KV_CHECKS_MAX = 100;

/**
 * How many checks a group may have, which leaves room for those of the term and of the pulses'
 * entry.
 */
const CHECKS_MAX = KV_CHECKS_MAX - 2;

/** What the members of a group do with each key, merged as if they were one transaction. */
export class JoinedUses {
  readonly #uses: Readonly<KeyUse>[] = [];
  /** The checks of all members, those of their markers included. */
  #checks = 0;

  get uses(): KeyUses {
    return this.#uses;
  }

  /**
   * Adds a transaction if there is room for its checks and it touches none of the others' keys.
   * Says whether it was added.
   */
  take({ uses, checks, marker }: Sealed): boolean {
    const markers = marker === null ? 0 : 1;
    if (this.#checks + checks + markers > CHECKS_MAX) return false;
    const places = uses.map(({ id }) => this.#uses.findIndex((other) => other.id === id));
    if (!uses.every((use, i) => places[i] === -1 || goTogether(use, this.#uses[places[i]!]!))) {
      return false;
    }
    this.#checks += markers;
    for (const [i, use] of uses.entries()) {
      const place = places[i]!;
      if (place === -1) {
        this.#uses.push(use);
        if (use.versionstamp !== undefined) this.#checks++;
      } else {
        const other = this.#uses[place]!;
        this.#uses[place] = { ...other, sum: other.sum + use.sum };
      }
    }
    return true;
  }
}

/**
 * Whether two transactions may use the same key in one commit: both only add to it, or both only
 * check that it has the same versionstamp.
 */
function goTogether(a: Readonly<KeyUse>, b: Readonly<KeyUse>): boolean {
  if (a.write !== null || b.write !== null || a.versionstamp !== b.versionstamp) return false;
  return a.versionstamp === undefined || (a.sum === 0n && b.sum === 0n);
}
