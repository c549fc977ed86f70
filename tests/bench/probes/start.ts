// `start.ts <KV file>`: how long (ms) until the first correct list and until search is ready, and the longest
// that a timer waited meanwhile.
import { delay } from "@/lib/clock.ts";
import { openDirectory } from "../directory.ts";
import { print } from "./print.ts";

const start = performance.now();
const { sync, catalogue } = await openDirectory(Deno.args[0]!);
await sync.load();
const { total } = catalogue.list({ limit: 30 });
const list = performance.now() - start;
let stall = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  stall = Math.max(stall, now - last);
  last = now;
}, 1);
await catalogue.indexText();
const search = performance.now() - start;
// A stall shows when the timer runs again.
await delay(10);
print({ total, list, search, stall });
