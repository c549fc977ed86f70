import type { Store } from "../kv/store.ts";

/** The maximum bytes per chunk. KV's limit on a value is 64 KiB. */
export const CHUNK_BYTES = 60 * 1024;
/** Chunks per transaction. KV's limit is 800 KiB. */
const CHUNKS_A_WRITE = 8;
/** Chunks per read. */
const CHUNKS_A_READ = 10;

/** Stores chunks of up to `CHUNK_BYTES` by number. Returns how many there were. */
export async function writeChunks(
  store: Store,
  chunks: AsyncIterable<Uint8Array>,
  keyOf: (i: number) => Deno.KvKey,
): Promise<number> {
  let written = 0;
  let waiting: Uint8Array[] = [];
  const write = async () => {
    await store.transact((tx) => waiting.forEach((chunk, i) => tx.set(keyOf(written + i), chunk)));
    written += waiting.length;
    waiting = [];
  };
  for await (const chunk of chunks) {
    if (waiting.push(chunk) === CHUNKS_A_WRITE) await write();
  }
  if (waiting.length > 0) await write();
  return written;
}

/** Reads `count` chunks in order, with up to `ahead` reads at once. A missing one is null. */
export async function* readChunks(
  store: Store,
  count: number,
  keyOf: (i: number) => Deno.KvKey,
  { ahead = 1 } = {},
): AsyncGenerator<unknown> {
  const keys = Array.from({ length: count }, (_, i) => keyOf(i));
  const reads: Promise<Deno.KvEntryMaybe<unknown>[]>[] = [];
  for (let next = 0; next < count || reads.length > 0;) {
    for (; next < count && reads.length < ahead; next += CHUNKS_A_READ) {
      const read = store.getMany(keys.slice(next, next + CHUNKS_A_READ));
      // If one fails, nobody waits for the others.
      read.catch(() => {});
      reads.push(read);
    }
    for (const { value } of await reads.shift()!) yield value;
  }
}

/** Deletes everything under a prefix, some keys per transaction. */
export async function deleteAll(store: Store, prefix: Deno.KvKey): Promise<void> {
  for await (const batch of store.listBatches({ prefix }, { batchSize: 10 })) {
    await store.transact((tx) => batch.forEach(({ key }) => tx.delete(key)));
  }
}

/** Deletes what is under a prefix and a version, for all versions except some. */
export async function deleteAllBut(
  store: Store,
  prefix: Deno.KvKey,
  kept: readonly (string | undefined)[],
): Promise<void> {
  for (let start: Deno.KvKey = [...prefix, ""];;) {
    const [first] = await Array.fromAsync(store.list({ prefix, start }, { limit: 1 }));
    if (first === undefined) return;
    const version = first.key[prefix.length] as string;
    // `~` sorts after every character of a version.
    start = [...prefix, `${version}~`];
    if (!kept.includes(version)) await deleteAll(store, [...prefix, version]);
  }
}
