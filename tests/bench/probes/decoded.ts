// `decoded.ts <KV file>`: the memory (bytes) of a process that only holds the decoded records, and the bytes of
// the JSON that is published of them.
import { delay } from "@/lib/clock.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { toPublicListing } from "@/lib/listings/public.ts";
import { createUrls } from "@/lib/urls.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { print } from "./print.ts";

// deno-lint-ignore no-explicit-any -- records as they are
const records = new Map<string, any>();
const kv = await Deno.openKv(Deno.args[0]!);
const list = (prefix: Deno.KvKey) => kv.list({ prefix: [...prefix] }, { batchSize: 500 });
for await (const { key, value } of list(listingKeys.all)) records.set(key[1] as string, value);
for await (const { key, value } of list(listingKeys.descriptions)) {
  records.get(key[1] as string).description = value;
}
for await (const { key, value } of list(voteKeys.counts("listing"))) {
  records.get(key[1] as string).votes = Number((value as Deno.KvU64).value);
}
for await (const { key, value } of list(listingKeys.allClicks)) {
  records.get(key[1] as string).clicks = Number((value as Deno.KvU64).value);
}
await delay(3_000);
const { rss } = Deno.memoryUsage();
const urls = createUrls("http://projectory.test");
const encoder = new TextEncoder();
let json = 0;
for (const { description = null, votes = 0, clicks = 0, ...stored } of records.values()) {
  const shown = toPublicListing(stored, { description, votes, clicks }, urls);
  json += encoder.encode(JSON.stringify(shown)).length;
}
print({ rss, json, records: records.size });
