import { formatCount } from "../lib/text/count.ts";
import { Table } from "./Table.tsx";

/** A table of AI user agents and their request counts. `label` names it for screen readers. */
export function AiVisitors(
  props: {
    label: string;
    visitors: readonly { name: string; operator: string; requests: number }[];
  },
) {
  return (
    <Table label={props.label} columns={["User agent", "Company", { num: "Requests" }]}>
      {props.visitors.map(({ name, operator, requests }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{operator}</td>
          <td class="num">{formatCount(requests)}</td>
        </tr>
      ))}
    </Table>
  );
}
