import { isoTime } from "../../clock.ts";
import { retryDoubts } from "../../payments/doubts.ts";
import { retryOperations } from "../../payments/operations.ts";
import { getStats } from "../../stats/service.ts";
import { getSwitches } from "../../switches.ts";
import { plural } from "../../text/count.ts";
import { listActions } from "../actions.ts";
import { changed, type Commands, listed, shown } from "../command.ts";
import { correctDates } from "../dates.ts";
import { getPaymentFigures } from "../payment_figures.ts";
import { closeReport, listReports, type StoredReport } from "../reports.ts";
import { readStatus } from "../status.ts";

/** Commands for payments and reports, and for the state of the site. */
export const siteCommands: Commands = {
  "payments status": {
    summary:
      "Whether payments are closed, last webhook, open holds, waiting and stuck operations, doubtful payments, alerts",
    async run({ deps }) {
      const { paymentsClosed } = await getSwitches(deps.store);
      const payments = { paymentsClosed, ...await getPaymentFigures(deps) };
      return shown("payments", payments);
    },
  },
  "payments retry": {
    summary: "Retry payment operations that are waiting, stuck or abandoned",
    action: "payments_retried",
    async run({ deps }) {
      const count = await retryOperations(deps);
      const doubts = await retryDoubts(deps);
      return changed(
        count + doubts > 0,
        `Retrying ${plural(count, "operation")}, checking ${plural(doubts, "payment")}`,
        "Nothing to retry",
      );
    },
  },
  stats: {
    summary: "Traffic by interface and kind of visitor",
    async run({ deps }) {
      return shown("stats", await getStats(deps));
    },
  },
  "dates correct": {
    summary: "Set future dates of listings and skills to the current time; --dry-run lists them",
    action: "dates_corrected",
    async run({ deps }) {
      const ahead = await correctDates(deps);
      const done = `${ahead.length} corrected`;
      const { lines, data } = changed(ahead.length > 0, done, "Nothing is dated in the future");
      const rows = ahead.map(({ kind, slug, createdAt }) => `${createdAt}  ${kind}  ${slug}`);
      return { lines: [...rows, ...lines], data: { ...data, ahead } };
    },
  },
  "reports list": {
    summary: "Open reports, oldest first",
    async run({ deps }) {
      const reports = (await listReports(deps))
        .map((report) => ({ ...report, at: isoTime(report.at) }));
      return listed("reports", reports, `${reports.length} open`, (report) => {
        const { id, reason, note, at } = report;
        // One line each: a stranger's note must not look like other rows.
        const text = note?.replace(/\s+/g, " ") ?? "";
        return `${id}  ${at}  ${subjectOf(report)}  ${reason}  ${text}`.trimEnd();
      });
    },
  },
  "reports close": {
    args: ["id"],
    isMany: true,
    summary: "Close reports",
    action: "report_closed",
    async run({ deps, args }) {
      const report = await closeReport(deps, args.id!);
      const { kind, slug } = report;
      return {
        lines: [`The report on ${subjectOf(report)} is closed`],
        data: { changed: true, kind, slug },
      };
    },
  },
  log: {
    options: { limit: { default: "50", isCount: true } },
    summary: "The public log of operator actions, latest first",
    async run({ deps, options }) {
      const page = await listActions(deps, { limit: Number(options.limit), offset: 0 });
      return {
        lines: [
          ...page.items.map(({ day, kind, reason }) =>
            `${day}  ${kind}  ${reason ?? ""}`.trimEnd()
          ),
          `${page.total} in all`,
        ],
        data: { actions: page.items, total: page.total },
      };
    },
  },
  status: {
    summary:
      "Switches, listings by state, open reports, jobs and payments; the server's /api/v1/health lists problems",
    async run({ deps }) {
      return shown("status", await readStatus(deps));
    },
  },
};

/** What a report is about: a listing or skill by its slug, or the site. */
function subjectOf({ kind, slug }: Pick<StoredReport, "kind" | "slug">): string {
  return slug === null ? `the ${kind}` : `${kind} ${slug}`;
}
