/**
 * MurmurHash3 for x86 with 32 bits (https://github.com/aappleby/smhasher) of the first `bytes` of
 * little-endian words. What the last word has beyond them must be 0. No secret goes in, and whoever
 * makes inputs of a wanted hash gains nothing by it but a page that caches keep for longer.
 */
export function murmur3(words: Uint32Array, bytes: number, seed = 0): number {
  let hash = seed;
  const whole = bytes >>> 2;
  for (let i = 0; i < whole; i++) {
    hash ^= scramble(words[i]!);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  if ((bytes & 3) !== 0) hash ^= scramble(words[whole]!);
  hash ^= bytes;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

/** The seed of a second hash, where one has too few bits. */
export const SECOND_SEED = 0x9747b28c;
