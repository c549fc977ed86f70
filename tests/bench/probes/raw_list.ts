// `raw_list.ts <KV file>`: how long (ms) it takes to list every entry of the file.
import { print } from "./print.ts";

const start = performance.now();
const kv = await Deno.openKv(Deno.args[0]!);
let entries = 0;
for await (const _ of kv.list({ prefix: [] }, { batchSize: 500 })) entries++;
print({ ms: performance.now() - start, entries });
