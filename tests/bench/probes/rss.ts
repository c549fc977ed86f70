// `rss.ts <pid>`: resident memory (bytes) of another process.
import { print } from "./print.ts";

const status = await Deno.readTextFile(`/proc/${Deno.args[0]}/status`);
print({ rss: Number(status.match(/^VmRSS:\s+(\d+) kB/m)![1]) * 1024 });
