const HALF = 2 ** 32;

/**
 * The strong ETag of a body, out of the digests of its pieces and the numbers between them, all of them whole and
 * below 2^53: 64 bits, as MurmurHash3 (x86, 32 bits) under two seeds. A page's digests are those of SHA-1 already;
 * hashing them with it too, through Deno's `node:crypto`, takes ten times as long.
 */
export function pageEtag(facts: readonly number[]): string {
  const [a, b] = [murmur3(facts, 0), murmur3(facts, 0x9747b28c)];
  return `"${a.toString(36)}-${b.toString(36)}"`;
}

/** MurmurHash3 (https://github.com/aappleby/smhasher) over numbers as two words each, the lower one first. */
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
