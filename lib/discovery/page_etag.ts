import { murmur3, SECOND_SEED } from "./murmur3.ts";

const HALF = 2 ** 32;

/** Kept, since V8 takes memory outside of its heap for each array of numbers. */
let words = new Uint32Array(256);

/**
 * The strong ETag of a body, made from the digests of its pieces and the numbers between them, all
 * whole and below 2^53. It has 64 bits: MurmurHash3 of the numbers, each as two words, the lower one
 * first, under two seeds.
 */
export function pageEtag(facts: readonly number[]): string {
  if (words.length < 2 * facts.length) words = new Uint32Array(2 * facts.length);
  for (let i = 0; i < facts.length; i++) {
    words[2 * i] = facts[i]!;
    words[2 * i + 1] = facts[i]! / HALF;
  }
  const bytes = 8 * facts.length;
  const [first, second] = [murmur3(words, bytes), murmur3(words, bytes, SECOND_SEED)];
  return `"${first.toString(36)}-${second.toString(36)}"`;
}
