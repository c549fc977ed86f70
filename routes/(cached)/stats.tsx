import { page } from "fresh";
import { AiVisitors } from "@/components/AiVisitors.tsx";
import { BarChart } from "@/components/BarChart.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Fact } from "@/components/Fact.tsx";
import { Page } from "@/components/Page.tsx";
import { Table } from "@/components/Table.tsx";
import { Time } from "@/components/Time.tsx";
import { define } from "@/lib/app/define.ts";
import { DAY_MS, isoTime } from "@/lib/clock.ts";
import type { BySurface, Stats } from "@/lib/stats/schema.ts";
import { getStats } from "@/lib/stats/service.ts";
import type { Surface } from "@/lib/stats/surface.ts";
import { formatCount } from "@/lib/text/count.ts";
import { formatDay, formatSpan } from "@/lib/text/dates.ts";
import { paths } from "@/lib/urls.ts";

const SURFACE_NAMES: Readonly<Record<Surface, string>> = {
  pages: "Pages",
  api: "API",
  mcp: "MCP",
  llms: "llms.txt",
  feed: "Feeds",
};
const CLASSES = [["person", "People"], ["ai_agent", "AI agents"], ["crawler", "Crawlers"]] as const;
/** The time windows, each with its number of days. */
const WINDOWS = [
  ["today", "Today", 1],
  ["7d", "7 days", 7],
  ["30d", "30 days", 30],
  ["all", "All time", Infinity],
] as const;

/** What a chart and its table count, by name. */
type Parts = readonly (readonly [name: string, count: (counts: BySurface) => number])[];

const VISITORS: Parts = CLASSES.map(([id, name]) => [name, ({ all }) => all[id]]);
const PLACES: Parts = Object.entries(SURFACE_NAMES)
  .map(([id, name]) => [name, (counts) => counts[id as Surface].total]);

export const handler = define.handlers({
  GET: async (ctx) => page(await getStats(ctx.state.deps)),
});

export default define.page<typeof handler>(function Traffic({ data, state }) {
  const agents = data.aiVisitors["30d"];
  const windows = data.since === null ? [] : shownWindows(data.since, state.deps.clock.now())
    .map(([id, name]) => ({ name, counts: data.windows[id] }));
  return (
    <Page
      deps={state.deps}
      title="Traffic"
      description="Traffic from people, AI agents and crawlers."
      path={paths.stats}
      json={`${paths.api}/stats`}
      lead={
        <>
          We count successful requests (except images and styles), never individual visitors.{" "}
          {data.since !== null && (
            <>
              Counting since <Time iso={data.since} /> (UTC).
            </>
          )}
        </>
      }
    >
      {data.since === null
        ? (
          <EmptyState title="Nothing counted yet">
            <p>
              The first visits will show up within a minute.{" "}
              <a href={paths.projects}>Browse projects</a>
            </p>
          </EmptyState>
        )
        : (
          <>
            <Headline windows={windows} />
            <div class="panels">
              <Requests
                id="visitor"
                by="kind of visitor"
                parts={VISITORS}
                windows={windows}
                days={data.days}
              />
              <Requests
                id="interface"
                by="interface"
                parts={PLACES}
                windows={windows}
                days={data.days}
              />
              <section aria-labelledby="agents" class="panel">
                <h2 id="agents">AI agents by name, 30 days</h2>
                {agents.length === 0
                  ? (
                    <p>
                      No known AI agents yet. <a href={paths.agents}>How agents use this site</a>
                    </p>
                  )
                  : <AiVisitors label="AI agents by name" visitors={agents} />}
              </section>
              <section aria-labelledby="classes" class="panel">
                <h2 id="classes">How visits are classified</h2>
                <dl class="facts">
                  {CLASSES.map(([id, name]) => (
                    <Fact key={id} term={name}>{data.classes[id]}</Fact>
                  ))}
                </dl>
              </section>
            </div>
          </>
        )}
    </Page>
  );
});

/** The windows that are full since the first day (`since`), and all time if it is longer. */
function shownWindows(since: string, now: number) {
  const days = Math.floor((now - Date.parse(since)) / DAY_MS) + 1;
  const isFull = WINDOWS.some(([, , length]) => length === days);
  return WINDOWS.filter(([id, , length]) => id === "all" ? !isFull : days >= length);
}

type Window = { name: string; counts: BySurface };

/** All requests in 30 days, or in all time if it is shorter, and each visitor class's share. */
function Headline({ windows }: { windows: readonly Window[] }) {
  const { name, counts: { all } } = windows.find(({ name }) => name === "30 days") ??
    windows.at(-1)!;
  const share = (count: number) => 100 * count / Math.max(1, all.total);
  let end = 0;
  return (
    <>
      <dl class="facts standing">
        <Fact term={`Requests, ${name.toLowerCase()}`} class="num">{formatCount(all.total)}</Fact>
        {CLASSES.map(([id, name], i) => (
          <Fact key={id} term={name} class="num">
            <span class={`key series-${i}`} aria-hidden="true" /> {formatCount(all[id])}{" "}
            <span class="dim">({Math.round(share(all[id]))}%)</span>
          </Fact>
        ))}
      </dl>
      <svg class="split" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        {CLASSES.map(([id], i) => {
          const width = share(all[id]);
          end += width;
          return <rect key={id} class={`series-${i}`} x={end - width} width={width} height="1" />;
        })}
      </svg>
    </>
  );
}

/** Requests per day as a chart, and per window as a table. */
function Requests({ id, by, parts, windows, days }: Pick<Stats, "days"> & {
  id: string;
  by: string;
  parts: Parts;
  windows: readonly Window[];
}) {
  const total = (counts: BySurface) => counts.all.total;
  return (
    <section aria-labelledby={id} class="panel">
      <h2 id={id}>By {by}</h2>
      {days.length > 1 && (
        <BarChart
          caption={`Requests per day, ${
            formatSpan(days[0]!.day, isoTime(Date.parse(days.at(-1)!.day) + DAY_MS))
          }`}
          by={by}
          series={parts.map(([name]) => name)}
          rows={days.map(({ day, traffic }) => ({
            label: formatDay(day),
            values: parts.map(([, count]) => count(traffic)),
          }))}
        />
      )}
      <Table
        label={`Requests by ${by}`}
        columns={[
          id === "visitor" ? "Visitor" : "Interface",
          ...windows.map(({ name: num }) => ({ num })),
        ]}
      >
        {[...parts, ["All", total] as const].map(([row, count], i) => (
          <tr key={row} class={i === parts.length ? "total" : undefined}>
            <th scope="row">{row}</th>
            {windows.map(({ name, counts }) => (
              <td key={name} class="num">{formatCount(count(counts))}</td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  );
}
