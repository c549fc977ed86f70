import { KeyPage } from "@/components/KeyPage.tsx";
import { Table } from "@/components/Table.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { keyPageHandlers } from "@/lib/entries/key_page.ts";
import { nameOfEditable } from "@/lib/listings/service.ts";
import { readPromotionReport, REPORT_ENOUGH_CLICKS, sumOf } from "@/lib/promotions/report.ts";
import type { Figures, PromotionReport } from "@/lib/promotions/schema.ts";
import { formatDay, formatSpan } from "@/lib/text/dates.ts";
import { paths } from "@/lib/urls.ts";

export const handler = keyPageHandlers<Deps, PromotionReport>(nameOfEditable, readPromotionReport);

/** What is counted, and its value in some figures. */
type Measure = readonly [name: string, of: (figures: Figures) => number | string];

const DAILY: readonly Measure[] = [
  ["Clicks", ({ clicks }) => sumOf(clicks)],
  ["By people", ({ clicks }) => clicks.person],
  ["By AI agents", ({ clicks }) => clicks.ai_agent],
  ["By others", ({ clicks }) => clicks.crawler],
  ["Votes", ({ votes }) => sumOf(votes)],
];
const COMPARED: readonly Measure[] = [
  ["Days", ({ days }) => days],
  ["Clicks a day", ({ clicks, days }) => aDay(sumOf(clicks), days)],
  ["Votes a day", ({ votes, days }) => aDay(sumOf(votes), days)],
  ...DAILY,
];

export default define.page<typeof handler>(function Report({ data, state, params }) {
  return (
    <KeyPage
      deps={state.deps}
      data={data}
      slug={params.slug!}
      title="Promotion report for"
      action={paths.listingPromotionReport(params.slug!)}
      lead="Clicks and votes before, during and after each promotion. We don't track impressions."
      button="Show the report"
      show={(report) => <Shown {...report} />}
    />
  );
});

function Shown({ since, promotions, baseline, days }: PromotionReport) {
  return (
    <>
      <p>
        {days.length > 0
          ? `Data since ${formatDay(since)}, in whole UTC days.`
          : `Data starts on ${formatDay(since)}.`}
      </p>
      {promotions.length === 0 && <p>This project hasn't been promoted yet.</p>}
      {promotions.map(({ name, startsAt, endsAt, before, during, after, isEnough }) => (
        <section key={startsAt + name}>
          <h2>{name}, {formatSpan(startsAt, endsAt)}</h2>
          <Table
            label={`${name}, ${formatSpan(startsAt, endsAt)}`}
            columns={[
              "Figure",
              ...["Before", "During", "After", "Without promotion"].map((num) => ({ num })),
            ]}
          >
            {COMPARED.map(([measure, of]) => (
              <tr key={measure}>
                <th scope="row">{measure}</th>
                {[before, during, after, baseline].map((figures, i) => (
                  <td key={i} class="num">{of(figures)}</td>
                ))}
              </tr>
            ))}
          </Table>
          {!isEnough && (
            <p class="notice">
              Too few clicks to compare. With fewer than {REPORT_ENOUGH_CLICKS}{" "}
              before or during the promotion, any difference could be chance.
            </p>
          )}
        </section>
      ))}
      {days.length > 0 && (
        <>
          <h2>By day</h2>
          <Table
            label="By day"
            columns={["Day", ...DAILY.map(([num]) => ({ num }))]}
          >
            {days.toReversed().map(({ day, isPaid, ...counts }) => (
              <tr key={day}>
                <th scope="row">{isPaid ? `${formatDay(day)}, paid` : formatDay(day)}</th>
                {DAILY.map(([name, of]) => (
                  <td key={name} class="num">{of({ days: 1, ...counts })}</td>
                ))}
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  );
}

/** The daily average, to one decimal; nothing for zero days. */
function aDay(sum: number, days: number): string {
  return days === 0 ? "–" : (sum / days).toFixed(1);
}
