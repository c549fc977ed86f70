import { formatCount } from "./format.ts";

/** Height of the drawing in its own units. */
const HEIGHT = 100;

/** Stacked bars, one a row; whoever cannot see them finds the numbers in the tables beside. */
export function BarChart(props: {
  caption: string;
  /** Names of the parts of each bar, from the bottom up; at most three. */
  series: readonly string[];
  rows: readonly { label: string; values: readonly number[] }[];
}) {
  const { caption, series, rows } = props;
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const top = Math.max(1, ...sums);
  const last = rows.at(-1);
  return (
    <figure class="chart">
      <figcaption>
        {caption}; the tallest day has {formatCount(Math.max(0, ...sums))}.
        <span class="cluster">
          {series.map((name, i) => (
            <span key={name}>
              <span class={`key series-${i}`} aria-hidden="true" /> {name}
            </span>
          ))}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${rows.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${caption}, from ${rows[0]?.label} to ${last?.label}`}
      >
        {rows.map(({ label, values }, x) => {
          let y = HEIGHT;
          return (
            <g key={label}>
              <title>{`${label}: ${values.map((v, i) => `${series[i]} ${v}`).join(", ")}`}</title>
              {values.map((value, i) => {
                const height = (value / top) * HEIGHT;
                y -= height;
                return (
                  <rect
                    key={i}
                    class={`series-${i}`}
                    x={x * 10 + 1}
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
    </figure>
  );
}
