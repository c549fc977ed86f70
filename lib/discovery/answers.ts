import type { Clock } from "../clock.ts";
import type { Entity } from "../http/respond.ts";
import type { Catalogue } from "./catalogue.ts";

/** Characters of bodies that are kept, about 16 MB where they are Latin. */
const MAX_CHARACTERS = 16_000_000;

/** A public answer, and on what it rests beside the catalogue's revision. */
export interface Answer {
  content: Entity;
  headers?: Record<string, string>;
  /** Whether it shows the hot order, which moves with time. */
  ranked?: boolean;
  /** How long (ms) it may serve where it shows more than the catalogue. */
  maxAgeMs?: number;
}

interface Kept {
  answer: Answer;
  revision: number;
  rankedAt: number | undefined;
  until: number;
}

/**
 * Public answers by a key, made once and sent until the catalogue changes, the hot order is ranked again,
 * or their time is over. Old ones make room for new ones.
 */
export class AnswerCache {
  readonly #catalogue: Catalogue;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  constructor({ catalogue, clock }: { catalogue: Catalogue; clock: Clock }) {
    this.#catalogue = catalogue;
    this.#clock = clock;
  }

  /** The answer under a key while it is still right. */
  get(key: string): Answer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.revision !== this.#catalogue.revision) return undefined;
    if (kept.until <= this.#clock.now()) return undefined;
    if (kept.rankedAt !== undefined && kept.rankedAt !== this.#catalogue.rankedAt) return undefined;
    return kept.answer;
  }

  /** Keeps an answer that was made from the catalogue as it is now; gives it back. */
  set(key: string, answer: Answer): Answer {
    this.#drop(key);
    this.#kept.set(key, {
      answer,
      revision: this.#catalogue.revision,
      rankedAt: answer.ranked ? this.#catalogue.rankedAt : undefined,
      until: this.#clock.now() + (answer.maxAgeMs ?? Infinity),
    });
    this.#characters += answer.content.body.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#drop(oldest);
    }
    return answer;
  }

  #drop(key: string): void {
    this.#characters -= this.#kept.get(key)?.answer.content.body.length ?? 0;
    this.#kept.delete(key);
  }
}
