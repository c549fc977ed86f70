const HALF = 2 ** 32;

/**
 * The strong ETag of a body, made from the digests of its pieces and the numbers between them, all
 * whole and below 2^53. It has 64 bits: 32-bit MurmurHash3 (x86) under two seeds. The digests come
 * from SHA-1 already; hashing them with SHA-1 again takes ten times as long in Deno's
 * `node:crypto`.
 */
export function pageEtag(facts: readonly number[]): string {
  const [a, b] = [murmur3(facts, 0), murmur3(facts, 0x9747b28c)];
  return `"${a.toString(36)}-${b.toString(36)}"`;
}

/**
 * MurmurHash3 (https://github.com/aappleby/smhasher) of numbers, each as two words, the lower one
 * first.
 */
function murmur3(facts: readonly number[], seed: number): number {
  let hash = seed;
  for (const fact of facts) hash = mix(mix(hash, fact | 0), (fact / HALF) | 0);
  hash ^= facts.length * 8;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mix(hash: number, word: number): number {
  let mixed = Math.imul(word, 0xcc9e2d51);
  mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
  mixed ^= hash;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}
