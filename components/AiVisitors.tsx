import { formatCount } from "../lib/text/count.ts";
import { TableScroll } from "./TableScroll.tsx";

/** AI user agents and how many requests they sent, as a table; `label` names it to those who hear the page. */
export function AiVisitors(
  props: {
    label: string;
    visitors: readonly { name: string; operator: string; requests: number }[];
  },
) {
  return (
    <TableScroll label={props.label}>
      <table>
        <thead>
          <tr>
            <th scope="col">User agent</th>
            <th scope="col">Operator</th>
            <th scope="col" class="num">Requests</th>
          </tr>
        </thead>
        <tbody>
          {props.visitors.map(({ name, operator, requests }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{operator}</td>
              <td class="num">{formatCount(requests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
