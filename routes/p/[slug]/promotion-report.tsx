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

const COLUMNS = [
  "Days",
  "Clicks a day",
  "Votes a day",
  "Clicks",
  "By people",
  "By AI agents",
  "By other programs",
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
          <FiguresTable
            label={`${name}, ${formatSpan(startsAt, endsAt)}`}
            rows={[["Before", before], ["During", during], ["After", after], [
              "Without promotion",
              baseline,
            ]]}
          />
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
          <FiguresTable
            label="By day"
            rows={days.toReversed().map(({ day, isPaid, ...counts }) => [
              isPaid ? `${formatDay(day)}, promoted` : formatDay(day),
              { days: 1, ...counts },
            ])}
          />
        </>
      )}
    </>
  );
}

function FiguresTable({ label, rows }: { label: string; rows: [string, Figures][] }) {
  return (
    <Table label={label} columns={["Time", ...COLUMNS.map((num) => ({ num }))]}>
      {rows.map(([name, { days, clicks, votes }]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {[
            days,
            aDay(sumOf(clicks), days),
            aDay(sumOf(votes), days),
            sumOf(clicks),
            clicks.person,
            clicks.ai_agent,
            clicks.crawler,
          ].map((cell, i) => <td key={COLUMNS[i]} class="num">{cell}</td>)}
        </tr>
      ))}
    </Table>
  );
}

/** The daily average, to one decimal; nothing for zero days. */
function aDay(sum: number, days: number): string {
  return days === 0 ? "–" : (sum / days).toFixed(1);
}
