import { page } from "fresh";
import { AiVisitors } from "@/components/AiVisitors.tsx";
import { BarChart } from "@/components/BarChart.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Table } from "@/components/Table.tsx";
import { Time } from "@/components/Time.tsx";
import { define } from "@/lib/app/define.ts";
import { DAY_MS, isoTime } from "@/lib/clock.ts";
import type { BySurface } from "@/lib/stats/schema.ts";
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

export const handler = define.handlers({
  async GET(ctx) {
    return page(await getStats(ctx.state.deps));
  },
});

export default define.page<typeof handler>(function Stats({ data, state }) {
  const surfaces = Object.keys(SURFACE_NAMES) as (keyof BySurface)[];
  const agents = data.aiVisitors["30d"];
  const [first, last] = [data.days[0]?.day, data.days.at(-1)?.day];
  const span = first && last ? formatSpan(first, isoTime(Date.parse(last) + DAY_MS)) : "";
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
        Aggregate traffic, never individual visitors. {data.unit}.{" "}
        {data.since === null ? "No traffic yet." : (
          <>
            Days in UTC, since <Time iso={data.since} />.
          </>
        )}
      </p>
      {data.days.length > 0 && (
        <div class="charts">
          <BarChart
            caption={`Requests a day by visitor, ${span}`}
            series={CLASSES.map(([, name]) => name)}
            rows={data.days.map(({ day, traffic: { all } }) => ({
              label: formatDay(day),
              values: CLASSES.map(([id]) => all[id]),
            }))}
          />
          <BarChart
            caption={`Requests a day by surface, ${span}`}
            series={SURFACES.map((surface) => SURFACE_NAMES[surface])}
            rows={data.days.map(({ day, traffic }) => ({
              label: formatDay(day),
              values: SURFACES.map((surface) => traffic[surface].total),
            }))}
          />
        </div>
      )}
      <div class="panels">
        {WINDOWS.map(([window, name]) => (
          <section key={window} aria-labelledby={`w-${window}`} class="panel">
            <h2 id={`w-${window}`}>{name}</h2>
            <Table
              label={`Traffic, ${name}`}
              columns={["Surface", ...CLASSES.map(([, num]) => ({ num })), { num: "Total" }]}
            >
              {surfaces.map((surface) => {
                const counts = data.windows[window][surface];
                return (
                  <tr key={surface} class={surface === "all" ? "total" : undefined}>
                    <th scope="row">{SURFACE_NAMES[surface]}</th>
                    {CLASSES.map(([id]) => <td key={id} class="num">{formatCount(counts[id])}</td>)}
                    <td class="num">{formatCount(counts.total)}</td>
                  </tr>
                );
              })}
            </Table>
          </section>
        ))}
      </div>
      <section aria-labelledby="agents" class="panel">
        <h2 id="agents">AI agents by name, 30 days</h2>
        {agents.length === 0
          ? (
            <EmptyState title="No known AI agents yet">
              <p>
                <a href={paths.agents}>See how agents use this site</a>
              </p>
            </EmptyState>
          )
          : <AiVisitors label="AI agents by name" visitors={agents} />}
      </section>
      <dl class="facts panel">
        {CLASSES.flatMap(([id, name]) => [
          <dt key={id}>{name}</dt>,
          <dd key={`${id}-meaning`}>{data.classes[id]}</dd>,
        ])}
      </dl>
    </main>
  );
});
