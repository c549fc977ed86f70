import { Lru } from "../cache/lru.ts";
import type { Entity } from "./respond.ts";

/** The maximum size of cached answers and their keys together: about 16 MB for Latin text. */
const MAX_LENGTH = 16_000_000;
/** The overhead of an answer besides its body and key. */
const ENTRY_LENGTH = 500;

/** A public answer. */
export interface Answer {
  content: Entity;
  /** Its `Link` header. */
  link?: string;
}

/**
 * Public answers and documents by key. Each is built once and sent until the revision of its
 * contents changes.
 */
export class Answers extends Lru<Answer> {
  constructor() {
    super({
      max: MAX_LENGTH,
      sizeOf: ({ content }, key) => content.body.length + key.length + ENTRY_LENGTH,
    });
  }
}
