import { murmur3, SECOND_SEED } from "./murmur3.ts";

const HALF = 2 ** 32;

/**
 * The strong ETag of a body, made from the digests of its pieces and the numbers between them, all
 * whole and below 2^53. It has 64 bits: MurmurHash3 of the numbers, each as two words, the lower one
 * first, under two seeds.
 */
export function pageEtag(facts: readonly number[]): string {
  const words = new Uint32Array(2 * facts.length);
  for (let i = 0; i < facts.length; i++) {
    words[2 * i] = facts[i]!;
    words[2 * i + 1] = facts[i]! / HALF;
  }
  const first = murmur3(words, words.byteLength);
  const second = murmur3(words, words.byteLength, SECOND_SEED);
  return `"${first.toString(36)}-${second.toString(36)}"`;
}
