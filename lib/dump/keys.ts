/**
 * Keys of the dump. All of it can be recreated from the records.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["dump"] | `StoredDumps`: the versions that can be fetched | `writeDump` |
 * | ["dump_claim"] | `DumpClaim`: the version that is being written | the same |
 * | ["dump_chunks", version, number] | a part of the compressed file | the same |
 */
export const dumpKeys = {
  dumps: ["dump"],
  claim: ["dump_claim"],
  chunk: (version: string, i: number) => ["dump_chunks", version, i],
  chunks: (version: string) => ["dump_chunks", version],
  allChunks: ["dump_chunks"],
} as const;

/** True if a key is one of these. Copies of a database don't need them. */
export function isDumpKey([first]: Deno.KvKey): boolean {
  return first === "dump" || first === "dump_claim" || first === "dump_chunks";
}
