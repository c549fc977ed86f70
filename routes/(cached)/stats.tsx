import { page } from "fresh";
import { AiVisitors } from "@/components/AiVisitors.tsx";
import { BarChart } from "@/components/BarChart.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
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

/** How many days the window before each of these has. */
const DAYS_BEFORE = [0, 1, 7, 30];

export const handler = define.handlers({
  async GET(ctx) {
    return page(await getStats(ctx.state.deps));
  },
});

export default define.page<typeof handler>(function Traffic({ data, state }) {
  const agents = data.aiVisitors["30d"];
  return (
    <main id="main" class="page">
      <PageHead
        deps={state.deps}
        title="Traffic"
        description="Traffic by people, AI agents and crawlers."
        path={paths.stats}
        json={`${paths.api}/stats`}
      />
      <h1>Traffic</h1>
      <p class="lead">
        Aggregate traffic, never individual visitors. {data.unit}. {data.since !== null && (
          <>
            Days in UTC, since <Time iso={data.since} />.
          </>
        )}
      </p>
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
              <dl class="numbers" aria-label="Requests today">
                {CLASSES.map(([id, name]) => (
                  <div key={id}>
                    <dt>{name} today</dt>
                    <dd>{formatCount(data.windows.today.all[id])}</dd>
                  </div>
                ))}
              </dl>
              {data.days.length > 1 && <Charts days={data.days} />}
              <div class="panels">
                {shownWindows(data.since, state.deps.clock.now()).map(([window, name]) => (
                  <Window key={window} id={window} name={name} counts={data.windows[window]} />
                ))}
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
                <h2 id="classes">What is counted as what</h2>
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
        caption={`Requests a day by visitor, ${span}`}
        series={CLASSES.map(([, name]) => name)}
        rows={days.map(({ day, traffic: { all } }) => ({
          label: formatDay(day),
          values: CLASSES.map(([id]) => all[id]),
        }))}
      />
      <BarChart
        caption={`Requests a day by surface, ${span}`}
        series={SURFACES.map((surface) => SURFACE_NAMES[surface])}
        rows={days.map(({ day, traffic }) => ({
          label: formatDay(day),
          values: SURFACES.map((surface) => traffic[surface].total),
        }))}
      />
    </div>
  );
}

function Window({ id, name, counts }: { id: string; name: string; counts: BySurface }) {
  const surfaces = Object.keys(SURFACE_NAMES) as (keyof BySurface)[];
  return (
    <section aria-labelledby={`w-${id}`} class="panel">
      <h2 id={`w-${id}`}>{name}</h2>
      <Table
        label={`Traffic, ${name}`}
        columns={["Surface", ...CLASSES.map(([, num]) => ({ num })), { num: "Total" }]}
      >
        {surfaces.map((surface) => (
          <tr key={surface} class={surface === "all" ? "total" : undefined}>
            <th scope="row">{SURFACE_NAMES[surface]}</th>
            {CLASSES.map(([id]) => <td key={id} class="num">{formatCount(counts[surface][id])}
            </td>)}
            <td class="num">{formatCount(counts[surface].total)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
