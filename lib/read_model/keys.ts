/**
 * Keys of the snapshot of what is in memory. None of it is needed: what is missing or damaged is read
 * from the records.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["snapshot"] | `SnapshotMeta`: the version that counts | `Snapshots.write` |
 * | ["snapshot_claim"] | `SnapshotClaim`: the version that is being written | the same |
 * | ["snapshots", version, kind, number] | gzip of a JSON array of entries | the same |
 */
export const snapshotKeys = {
  meta: ["snapshot"],
  claim: ["snapshot_claim"],
  chunk: (version: string, kind: string, i: number) => ["snapshots", version, kind, i],
  chunks: (version: string) => ["snapshots", version],
  allChunks: ["snapshots"],
} as const;

/** True for one of these keys. Copies of a database can leave them out. */
export function isSnapshotKey([first]: Deno.KvKey): boolean {
  return first === "snapshot" || first === "snapshot_claim" || first === "snapshots";
}
