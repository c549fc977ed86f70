import { drive, inTurns, rateRow, type Row, startBare, startOurs } from "../harness.ts";
import { seedDirectory } from "../seed.ts";

/** Hot reads against bare `Deno.serve` that answers the same bytes. */
export async function reads(): Promise<Row[]> {
  const rows: Row[] = [];
  await using ours = await startOurs(await seedDirectory(1_000));
  const cases: [string, string, number | undefined][] = [
    ["list of 30, hot", "/api/v1/projects", 0.5],
    ["one listing", "/api/v1/projects/listing-7", 0.45],
    ["home page", "/", undefined],
  ];
  for (const [scenario, path, atLeast] of cases) {
    await using bare = await startBare(await fetch(ours.base + path));
    const loads = await inTurns(
      3,
      () => drive(ours, { path }),
      () => drive(bare, { path }),
    );
    rows.push(rateRow(scenario, "bare Deno.serve", loads, { atLeast }));
  }
  return rows;
}
