import { page } from "fresh";
import { BarChart } from "@/components/BarChart.tsx";
import { AiVisitors } from "@/components/AiVisitors.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { formatCount } from "@/lib/text/count.ts";
import { formatDay } from "@/components/format.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { define } from "@/lib/define.ts";
import type { BySurface } from "@/lib/stats/schema.ts";
import { SURFACES } from "@/lib/stats/surface.ts";
import { getStats } from "@/lib/stats/service.ts";
import { paths } from "@/lib/urls.ts";

const SURFACE_NAMES: Readonly<Record<keyof BySurface, string>> = {
  pages: "Pages",
  api: "API",
  mcp: "MCP",
  llms: "llms.txt",
  feed: "Feeds",
  all: "All",
};
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
  const { env, urls } = state.deps;
  const surfaces = Object.keys(SURFACE_NAMES) as (keyof BySurface)[];
  const agents = data.aiVisitors["30d"];
  return (
    <main id="main" class="page">
      <PageHead
        title={`Traffic · ${env.siteName}`}
        description="Who reads this directory: people, AI agents and crawlers, by surface."
        urls={urls}
        path={paths.stats}
        json={`${paths.api}/stats`}
      />
      <h1>Traffic</h1>
      <p class="lead">
        Who reads this directory, counted in sum and never by person. {data.unit}.{" "}
        {data.since === null
          ? "Nothing is counted yet."
          : `Since ${formatDay(data.since)}, by days of UTC.`}
      </p>
      {data.days.length > 0 && (
        <div class="charts">
          <BarChart
            caption="Requests a day by visitor, last 30 days"
            series={["People", "AI agents", "Crawlers"]}
            rows={data.days.map(({ day, traffic: { all } }) => ({
              label: day,
              values: [all.person, all.ai_agent, all.crawler],
            }))}
          />
          <BarChart
            caption="Requests a day by surface, last 30 days"
            series={SURFACES.map((surface) => SURFACE_NAMES[surface])}
            rows={data.days.map(({ day, traffic }) => ({
              label: day,
              values: SURFACES.map((surface) => traffic[surface].total),
            }))}
          />
        </div>
      )}
      <div class="panels">
        {WINDOWS.map(([window, name]) => (
          <section key={window} aria-labelledby={`w-${window}`} class="panel">
            <h2 id={`w-${window}`}>{name}</h2>
            <div class="table-scroll" tabIndex={0} role="region" aria-label={`Traffic, ${name}`}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Surface</th>
                    <th scope="col" class="num">People</th>
                    <th scope="col" class="num">AI agents</th>
                    <th scope="col" class="num">Crawlers</th>
                    <th scope="col" class="num">Total</th>
                  </tr>
                </thead>
                <tbody>
                  {surfaces.map((surface) => {
                    const { person, ai_agent, crawler, total } = data.windows[window][surface];
                    return (
                      <tr key={surface}>
                        <th scope="row">{SURFACE_NAMES[surface]}</th>
                        <td class="num">{formatCount(person)}</td>
                        <td class="num">{formatCount(ai_agent)}</td>
                        <td class="num">{formatCount(crawler)}</td>
                        <td class="num">{formatCount(total)}</td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </div>
          </section>
        ))}
      </div>
      <section aria-labelledby="agents" class="panel">
        <h2 id="agents">AI agents by name, 30 days</h2>
        {agents.length === 0
          ? (
            <EmptyState title="No known AI user agent came by yet.">
              <p>
                <a href={paths.agents}>Agents are welcome</a>.
              </p>
            </EmptyState>
          )
          : <AiVisitors label="AI agents by name" visitors={agents} />}
      </section>
      <dl class="facts panel">
        {Object.entries(data.classes).flatMap(([name, meaning]) => [
          <dt key={name}>{name.replace("_", " ")}</dt>,
          <dd key={`${name}-meaning`}>{meaning}</dd>,
        ])}
      </dl>
    </main>
  );
});
