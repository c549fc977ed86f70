import { formatCount } from "../lib/text/count.ts";
import { Table } from "./Table.tsx";

/** The height of the drawing, and the width of a bar including its gap, in drawing units. */
const HEIGHT = 100;
const STEP = 10;

/** The minimum width of the drawing, in bars. Fewer bars are aligned to the right. */
const BARS = 7;

/**
 * Stacked bars, one per row, and a folded table of their numbers, for screen readers and for people
 * who can't tell the colors apart.
 */
export function BarChart(props: {
  caption: string;
  /** What tells the parts of a bar apart. Only screen readers need it: the heading above has it. */
  by: string;
  /** The names of each bar's parts, from the bottom up; up to five. */
  series: readonly string[];
  /** Oldest first. The last is today's, which isn't over. */
  rows: readonly { label: string; values: readonly number[] }[];
}) {
  const { caption, series, rows } = props;
  const title = `${caption}, by ${props.by}`;
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const top = topOf(Math.max(...sums));
  const width = Math.max(BARS, rows.length) * STEP;
  const start = width - rows.length * STEP;
  return (
    <figure class="chart">
      <figcaption>
        {caption}
        <span class="cluster" aria-hidden="true">
          {series.map((name, i) =>
            rows.some(({ values }) => values[i]! > 0) && (
              <span key={name}>
                <span class={`key series-${i}`} /> {name}
              </span>
            )
          )}
        </span>
      </figcaption>
      <p class="chart-scale" aria-hidden="true">
        {[top, top / 2, 0].map((value) => <span key={value}>{formatCount(value)}</span>)}
      </p>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="gridlines" d={`M0 0H${width}M0 ${HEIGHT / 2}H${width}`} />
        {rows.map(({ label, values }, x) => {
          let y = HEIGHT;
          return (
            <g key={label}>
              {values.map((value, i) => {
                const height = (value / top) * HEIGHT;
                y -= height;
                return (
                  <rect
                    key={i}
                    class={`series-${i}`}
                    x={start + x * STEP + 1}
                    y={y}
                    width="8"
                    height={height}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <p class="chart-ends" aria-hidden="true">
        {rows.length >= BARS && <span>{rows[0]!.label}</span>}
        <span>{rows.at(-1)?.label}, so far</span>
      </p>
      <details>
        <summary aria-label={`Day by day: ${title}`}>Day by day</summary>
        <Table
          label={`${title}, day by day`}
          columns={["Day", ...series.map((num) => ({ num }))]}
        >
          {rows.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {values.map((value, i) => <td key={i} class="num">{formatCount(value)}</td>)}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

/** The top of the scale: the highest value, rounded up to an even number of one or two digits. */
function topOf(highest: number): number {
  const step = 2 * 10 ** Math.floor(Math.log10(Math.max(1, highest / 5)));
  return step * Math.ceil(Math.max(1, highest) / step);
}
