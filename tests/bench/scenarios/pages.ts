import { drive, inTurns, rateRow, type Row, startBare, startOurs } from "../harness.ts";
import { seedDirectory } from "../seed.ts";

/** Pages of a directory of 10,000 listings against bare `Deno.serve` that answers the same bytes. */
export async function pages(): Promise<Row[]> {
  const rows: Row[] = [];
  await using ours = await startOurs(await seedDirectory(10_000));
  const headers = { Accept: "text/html" };
  const cases: [scenario: string, path: string, need: number | undefined][] = [
    ["home, 10,000 listings", "/", 1 / 3],
    ["browse, 10,000 listings", "/projects?category=dev-tool&sort=top", undefined],
    ["one listing, own vote", "/p/listing-7", 0.2],
  ];
  for (const [scenario, path, atLeast] of cases) {
    await using bare = await startBare(await fetch(ours.base + path, { headers }));
    const loads = await inTurns(
      3,
      () => drive(ours, { path, headers }),
      () => drive(bare, { path, headers }),
    );
    rows.push(rateRow(scenario, "bare Deno.serve", loads, { atLeast }));
  }
  return rows;
}
