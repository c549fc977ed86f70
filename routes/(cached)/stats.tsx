import { page } from "fresh";
import { AiVisitors } from "@/components/AiVisitors.tsx";
import { BarChart } from "@/components/BarChart.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Fact } from "@/components/Fact.tsx";
import { Masthead } from "@/components/Masthead.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Table } from "@/components/Table.tsx";
import { Time } from "@/components/Time.tsx";
import { define } from "@/lib/app/define.ts";
import { DAY_MS, isoTime } from "@/lib/clock.ts";
import type { BySurface, Stats } from "@/lib/stats/schema.ts";
import { getStats } from "@/lib/stats/service.ts";
import { SURFACES } from "@/lib/stats/surface.ts";
import { formatCount } from "@/lib/text/count.ts";
import { formatDay, formatSpan } from "@/lib/text/dates.ts";
import { paths } from "@/lib/urls.ts";

const SURFACE_NAMES: Readonly<Record<keyof BySurface, string>> = {
  pages: "Pages",
  api: "API",
  mcp: "MCP",
  llms: "llms.txt",
  feed: "Feeds",
  all: "All",
};
const CLASSES = [["person", "People"], ["ai_agent", "AI agents"], ["crawler", "Crawlers"]] as const;
const WINDOWS = [["today", "Today"], ["7d", "7 days"], ["30d", "30 days"], [
  "all",
  "All time",
]] as const;

/** What the tables count, in all last. */
const byVisitor = [...CLASSES, ["total", "All"] as const].map(([id, name]) =>
  [name, ({ all }: BySurface) => all[id]] as const
);
const bySurface = (Object.keys(SURFACE_NAMES) as (keyof BySurface)[]).map((id) =>
  [SURFACE_NAMES[id], (counts: BySurface) => counts[id].total] as const
);

/** How many days the window before each of these has. */
const DAYS_BEFORE = [0, 1, 7, 30];

export const handler = define.handlers({
  async GET(ctx) {
    return page(await getStats(ctx.state.deps));
  },
});

export default define.page<typeof handler>(function Traffic({ data, state }) {
  const agents = data.aiVisitors["30d"];
  const windows = data.since === null ? [] : shownWindows(data.since, state.deps.clock.now())
    .map(([id, name]) => ({ name, counts: data.windows[id] }));
  return (
    <main id="main" class="page">
      <PageHead
        deps={state.deps}
        title="Traffic"
        description="Traffic by people, AI agents and crawlers."
        path={paths.stats}
        json={`${paths.api}/stats`}
      />
      <Masthead
        title="Traffic"
        lead={
          <>
            Aggregate traffic, never individual visitors. {data.unit}. {data.since !== null && (
              <>
                Days in UTC since <Time iso={data.since} />.
              </>
            )}
          </>
        }
      />
      {data.since === null
        ? (
          <EmptyState title="Nothing counted yet">
            <p>
              The first visits show here within a minute.{" "}
              <a href={paths.projects}>Start with one</a>
            </p>
          </EmptyState>
        )
        : (
          <div class="columns">
            <div>
              <dl class="facts standing" aria-label="Requests today">
                {CLASSES.map(([id, name]) => (
                  <Fact key={id} term={`${name} today`} class="num">
                    {formatCount(data.windows.today.all[id])}
                  </Fact>
                ))}
              </dl>
              {data.days.length > 1 && <Charts days={data.days} />}
              <div class="panels">
                <Requests id="visitors" name="Visitor" windows={windows} rows={byVisitor} />
                <Requests id="surfaces" name="Surface" windows={windows} rows={bySurface} />
              </div>
            </div>
            <aside class="side" aria-label="Who visits">
              <section aria-labelledby="agents">
                <h2 id="agents">AI agents by name, 30 days</h2>
                {agents.length === 0
                  ? (
                    <p>
                      No known AI agents yet. <a href={paths.agents}>How agents use this site</a>
                    </p>
                  )
                  : <AiVisitors label="AI agents by name" visitors={agents} />}
              </section>
              <section aria-labelledby="classes">
                <h2 id="classes">How visits are classified</h2>
                <dl class="facts">
                  {CLASSES.flatMap(([id, name]) => [
                    <dt key={id}>{name}</dt>,
                    <dd key={`${id}-meaning`}>{data.classes[id]}</dd>,
                  ])}
                </dl>
              </section>
            </aside>
          </div>
        )}
    </main>
  );
});

/**
 * The windows that show more than the one before them, counted from the first day (`since`): on that day all
 * four would be the same.
 */
function shownWindows(since: string, now: number) {
  const days = Math.floor((now - Date.parse(since)) / DAY_MS) + 1;
  return WINDOWS.filter((_, i) => days > DAYS_BEFORE[i]!);
}

function Charts({ days }: Pick<Stats, "days">) {
  const span = formatSpan(days[0]!.day, isoTime(Date.parse(days.at(-1)!.day) + DAY_MS));
  return (
    <div class="charts">
      <BarChart
        caption={`Requests per day by visitor, ${span}`}
        series={CLASSES.map(([, name]) => name)}
        rows={days.map(({ day, traffic: { all } }) => ({
          label: formatDay(day),
          values: CLASSES.map(([id]) => all[id]),
        }))}
      />
      <BarChart
        caption={`Requests per day by surface, ${span}`}
        series={SURFACES.map((surface) => SURFACE_NAMES[surface])}
        rows={days.map(({ day, traffic }) => ({
          label: formatDay(day),
          values: SURFACES.map((surface) => traffic[surface].total),
        }))}
      />
    </div>
  );
}

/** Requests of some windows, with what each row counts of a window. */
function Requests({ id, name, windows, rows }: {
  id: string;
  name: string;
  windows: readonly { name: string; counts: BySurface }[];
  rows: readonly (readonly [name: string, count: (counts: BySurface) => number])[];
}) {
  return (
    <section aria-labelledby={id} class="panel">
      <h2 id={id}>By {name.toLowerCase()}</h2>
      <Table
        label={`Requests by ${name.toLowerCase()}`}
        columns={[name, ...windows.map(({ name: num }) => ({ num }))]}
      >
        {rows.map(([row, count], i) => (
          <tr key={row} class={i === rows.length - 1 ? "total" : undefined}>
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
