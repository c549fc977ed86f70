import { probe } from "../directory.ts";
import { type Row, row } from "../harness.ts";

/** Reads right after a write of the same process: they must not cost more because there is more. */
export async function community(): Promise<Row[]> {
  const few = await probe("community", ["100", "3", "100"]);
  const many = await probe("community", ["4000", "30", "10000"]);
  const rows: [what: string, figure: string, more: string, peer: string][] = [
    ["guestbook after a check-in", "guestbook", "4,000 names a day", "100 names"],
    ["poll after a ballot", "poll", "4,000 agents a day for 30 days", "100 agents for 3 days"],
    ["hot skills after a vote", "skills hot", "10,000 skills", "100 skills"],
    ["top skills after a vote", "skills top", "10,000 skills", "100 skills"],
  ];
  return rows.map(([what, figure, more, peer]) => {
    const of = (figures: Record<string, number>) => figures[`${figure}: after a write`]!;
    return row(`${what}, ${more}`, peer, [of(many), of(few)], { unit: "ms", need: { atMost: 4 } });
  });
}
