import { delay } from "@/lib/clock.ts";
import { directoryOf, probe } from "../directory.ts";
import { inTurns, median, type Row, row, startOurs, turnsRow } from "../harness.ts";

const ROUNDS = 2;

/** Start-up and memory at 100,000 listings. */
export async function start(): Promise<Row[]> {
  const kvPath = await directoryOf(100_000);
  const turns = await inTurns(
    ROUNDS,
    () => probe("start", [kvPath]),
    async () => ({ list: (await probe("raw_list", [kvPath])).ms! }),
  );
  const worst = (name: string) => Math.max(...turns.ours.map((figures) => figures[name]!));
  const raw = median(turns.theirs.map(({ list }) => list!));
  const decoded = await probe("decoded", [kvPath]);
  const { size } = await Deno.stat(kvPath);
  const rss = await memoryOfServer(kvPath);
  const ms = { unit: "ms" };
  return [
    turnsRow("start: first correct list", "raw kv.list of the file", turns, {
      figure: ({ list }) => list!,
      ...ms,
      need: { atMost: 2 },
    }),
    row("start: search ready", "raw kv.list of the file", [worst("search"), raw], {
      ...ms,
      need: { atMost: 6 },
    }),
    row("start: longest stall", "100 ms", [worst("stall"), 100], { ...ms, need: { atMost: 1 } }),
    row("memory with search", "decoded records alone", [rss / 1e6, decoded.rss! / 1e6], {
      unit: "MB",
      need: { atMost: 2.2 },
    }),
    row("KV file", "public JSON of its listings", [size / 1e6, decoded.json! / 1e6], {
      unit: "MB",
      need: { atMost: 2 },
    }),
  ];
}

/** Resident memory (bytes) of a server whose search is ready and that has answered some requests. */
async function memoryOfServer(kvPath: string): Promise<number> {
  await using ours = await startOurs(kvPath);
  for (const path of ["/api/v1/projects?q=parser", "/api/v1/projects", "/api/v1/trending"]) {
    await (await fetch(ours.base + path)).body?.cancel();
  }
  await delay(3_000);
  return (await probe("rss", [String(ours.pid)])).rss!;
}
