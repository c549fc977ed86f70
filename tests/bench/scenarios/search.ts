import { directoryOf, probe } from "../directory.ts";
import { type Row, row } from "../harness.ts";

/** Distinct searches over 100,000 listings, in process, against MiniSearch and against what was promised. */
export async function search(): Promise<Row[]> {
  const kvPath = await directoryOf(100_000);
  const ours = await probe("search", [kvPath, "ours"]);
  const theirs = await probe("search", [kvPath, "minisearch"]);
  const rate = ({ mean = 0 }: Record<string, number>) => 1000 / mean;
  const promised = (name: "p50" | "p99", ms: number) =>
    row(`100,000: search, ${name}`, `${ms} ms`, [ours[name]!, ms], {
      unit: "ms",
      need: { atMost: 1 },
    });
  return [
    promised("p50", 3),
    promised("p99", 60),
    row("100,000: search", "MiniSearch, prefix and fuzzy", [rate(ours), rate(theirs)], {
      unit: "q/s",
      need: { atLeast: 8 },
    }),
    row("100,000: index built", "MiniSearch", [ours.build!, theirs.build!], { unit: "ms" }),
  ];
}
