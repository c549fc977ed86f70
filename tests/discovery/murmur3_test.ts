import { assertEquals } from "@std/assert";
import { murmur3, SECOND_SEED } from "@/lib/discovery/murmur3.ts";

/** What the reference implementation makes of ASCII texts, by seed. */
const KNOWN: [text: string, seed: number, hash: number][] = [
  ["", 0, 0],
  ["", 1, 0x514e28b7],
  ["test", 0, 0xba6bd213],
  ["Hello, world!", 0, 0xc0363e43],
  ["The quick brown fox jumps over the lazy dog", 0, 0x2e4ff723],
  ["a", SECOND_SEED, 0x7fa09ea6],
  ["ab", SECOND_SEED, 0x74875592],
  ["abc", SECOND_SEED, 0xc84a62dd],
  ["abcd", SECOND_SEED, 0xf0478627],
  ["Hello, world!", SECOND_SEED, 0x24884cba],
  ["The quick brown fox jumps over the lazy dog", SECOND_SEED, 0x2fa826cd],
];

for (const [text, seed, hash] of KNOWN) {
  Deno.test(`murmur3 hashes "${text}" under ${seed} as the reference implementation does`, () => {
    const bytes = new Uint8Array(64);
    const { written } = new TextEncoder().encodeInto(text, bytes);
    assertEquals(murmur3(new Uint32Array(bytes.buffer), written, seed), hash);
  });
}
