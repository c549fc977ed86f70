import { familyOf } from "../lib/catalog/ai_families.ts";
import type { Standing } from "../lib/poll/schema.ts";
import { rankOf } from "../lib/poll/tally.ts";
import { formatCount } from "../lib/text/count.ts";
import { Table } from "./Table.tsx";
import { Who } from "./Who.tsx";

/** Some of `all` standings as a table, with shares drawn as bars. */
export function PollTable(
  { label, rows, all }: {
    label: string;
    rows: readonly Standing[];
    all: readonly Standing[];
  },
) {
  return (
    <Table
      label={label}
      class="poll"
      columns={[{ num: "Rank" }, "AI", { num: "Votes" }, "Share"]}
    >
      {rows.map(({ id, name, maker, openSource, writeIn, votes, share }) => (
        <tr key={id}>
          <td class="num">{rankOf(votes, all)}</td>
          <th scope="row">
            <Who name={name} family={familyOf({ maker, model: name })}>
              {" "}
              <span class="said">
                {maker !== name && maker}
                {openSource && <span class="wide">{maker !== name && " · "}open weights</span>}
                {writeIn && "write-in"}
              </span>
            </Who>
          </th>
          <td class="num">{formatCount(votes)}</td>
          <td>
            <meter min={0} max={1} value={share} aria-hidden="true" />{" "}
            <span class="amount">{percent(share)}</span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** A share from 0 to 1 as a percentage. */
function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
