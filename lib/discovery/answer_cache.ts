import type { Clock } from "../clock.ts";
import { type Coded, encodeWide, type Entity, entity } from "../http/respond.ts";
import { RepeatedMap } from "../repeated_map.ts";

/** The most characters of bodies and keys that are kept, about 16 MB where they are Latin. */
const MAX_LENGTH = 16_000_000;
/** What an answer takes beside its body and key, counted as characters. */
const ENTRY_LENGTH = 500;

/** A public answer, and what it depends on beside the catalogue's revision. */
export interface Answer {
  content: Entity<string | Coded>;
  /** Its `Link` header. */
  link?: string;
  /** Whether it shows the hot order, which moves with time. */
  ranked?: boolean;
  /** How long (ms) it may be sent, if it shows more than the catalogue knows of. */
  maxAgeMs?: number;
  /**
   * Names the state of what else it depends on. The answer ends when it is asked for with another
   * value.
   */
  also?: string;
}

/** The state of a catalogue that an answer was made from. */
export interface Basis {
  /** Rises with every visible change. */
  readonly revision: number;
  /** The time (ms) of the ranking that hot lists show. */
  readonly rankedAt: number;
}

/** The state that an answer is made from, and when (ms) it began to be made. */
export interface Beginning extends Basis {
  readonly at: number;
}

interface Kept {
  answer: Answer;
  revision: number;
  rankedAt: number | undefined;
  /** When it began to be made, in ms since the epoch. What it shows may be as old as that. */
  begunAt: number;
}

/**
 * Public answers by key. Each is made once and sent until the catalogue changes, the hot order is
 * ranked again, or its time is over. One is kept from its second request on, and old ones make room
 * for new ones.
 */
export class AnswerCache {
  readonly #catalogue: Basis;
  readonly #clock: Clock;
  readonly #kept = new RepeatedMap<Kept>(
    MAX_LENGTH,
    ({ answer }, key) => answer.content.body.length + key.length + ENTRY_LENGTH,
  );

  constructor({ catalogue, clock }: { catalogue: Basis; clock: Clock }) {
    this.#catalogue = catalogue;
    this.#clock = clock;
  }

  /**
   * The answer under a key, or undefined if there is none or it is out of date. `also` as in
   * `Answer`.
   */
  get(key: string, also?: string): Answer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.revision !== this.#catalogue.revision) return undefined;
    if (kept.answer.also !== also) return undefined;
    const { maxAgeMs } = kept.answer;
    const age = this.#clock.now() - kept.begunAt;
    if (maxAgeMs !== undefined && !(age >= 0 && age < maxAgeMs)) return undefined;
    if (kept.rankedAt !== undefined && kept.rankedAt !== this.#catalogue.rankedAt) return undefined;
    return kept.answer;
  }

  /**
   * The state that an answer made now depends on. Take it before reading anything: the state may
   * move on while the answer is being made.
   */
  basis(): Beginning {
    const { revision, rankedAt } = this.#catalogue;
    return { revision, rankedAt, at: this.#clock.now() };
  }

  /** Keeps an answer that was made from the catalogue at `basis`, and returns it. */
  set(key: string, answer: Answer, basis: Beginning): Answer {
    const isKept = this.#kept.set(key, {
      answer,
      revision: basis.revision,
      rankedAt: answer.ranked ? basis.rankedAt : undefined,
      begunAt: basis.at,
    });
    if (isKept) encodeWide(answer.content);
    return answer;
  }
}

/** A JSON answer from the cache; if it has none, made from `body` and kept. */
export async function keptAnswer(
  answers: AnswerCache,
  options: Omit<Answer, "content"> & { key: string; body: () => unknown },
): Promise<Answer> {
  const { key, body, ...rest } = options;
  const kept = answers.get(key, rest.also);
  if (kept !== undefined) return kept;
  const basis = answers.basis();
  const content = entity(JSON.stringify(await body()));
  return answers.set(key, { content, ...rest }, basis);
}
