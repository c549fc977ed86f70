import { Lru } from "../cache/lru.ts";
import { type Entity, entity } from "./respond.ts";

/** The most that answers and their keys may take together, about 16 MB where they are Latin. */
const MAX_LENGTH = 16_000_000;
/** What an answer takes beside its body and key. */
const ENTRY_LENGTH = 500;

/** A public answer. */
export interface Answer {
  content: Entity;
  /** Its `Link` header. */
  link?: string;
}

/** Public answers by key. Each is made once and sent until what it shows has another revision. */
export type Answers = Lru<Answer>;

/** Makes the store of public answers. */
export function createAnswers(): Answers {
  return new Lru({
    max: MAX_LENGTH,
    sizeOf: ({ content }, key) => content.body.length + key.length + ENTRY_LENGTH,
  });
}

/**
 * A JSON answer that is kept; if there is none of this `revision`, made from `body` and kept. Take
 * the revision of all that it shows. Where that is more than revisions tell, add a number that
 * rises with time.
 */
export async function keptAnswer(
  answers: Answers,
  { key, revision, body }: { key: string; revision: string | number; body: () => unknown },
): Promise<Answer> {
  return answers.get(key, revision) ??
    answers.set(key, { content: entity(JSON.stringify(await body())) }, revision);
}
