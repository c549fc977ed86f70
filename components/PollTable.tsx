import type { Standing } from "../lib/poll/schema.ts";
import { formatCount } from "../lib/text/count.ts";
import { Table } from "./Table.tsx";

/** Standings as a table whose shares are drawn as bars. */
export function PollTable({ caption, rows }: { caption: string; rows: readonly Standing[] }) {
  return (
    <Table
      label={caption}
      class="poll"
      caption={caption}
      columns={[{ num: "Rank" }, "AI", "Maker", { num: "Votes" }, "Share"]}
    >
      {rows.map(({ id, name, maker, openSource, writeIn, votes, share }, i) => (
        <tr key={id}>
          <td class="num">{i + 1}</td>
          <th scope="row">
            <span dir="auto">{name}</span> {openSource && <span class="label">open weights</span>}
            {writeIn && <span class="label">write-in</span>}
          </th>
          <td>{maker ?? "–"}</td>
          <td class="num">{formatCount(votes)}</td>
          <td>
            <meter min={0} max={1} value={share} aria-hidden="true" /> {percent(share)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** A share from 0 to 1 in percent. */
function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
