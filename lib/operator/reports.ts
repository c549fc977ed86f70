import { z } from "zod";
import type { Core } from "../core.ts";
import { type EntryKind, requireLive } from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import { notFound } from "../errors.ts";
import { optional, requiredText, Slug } from "../fields.ts";
import type { Caller } from "../http/caller.ts";
import { rateLimitQueue, spend } from "../http/rate_limit.ts";
import { createLogId } from "../kv/log_id.ts";
import { listValues } from "../kv/ranges.ts";
import { LIMITS } from "../limits.ts";
import { IgnoredFields } from "../openapi/shapes.ts";
import { userText } from "../text/clean.ts";
import { reasonClass } from "./actions.ts";
import { operatorKeys } from "./keys.ts";

const kind = z.enum(["listing", "skill", "site"])
  .describe(
    "site: anything without its own page, such as a guestbook line or a poll reason",
  );

/** How a missing field is reported, even if other fields have problems. */
function required(field: "slug" | "note") {
  const message = `Required ${field === "note" ? "if" : "unless"} kind is site`;
  return { path: [field], message, params: { isMissing: true }, when: () => true };
}

/** The body of a report. For something without its own page, the note says what it is. */
export const ReportInput = z.object({
  kind,
  slug: optional(Slug).describe("Slug of the listing or skill. Ignored if kind is site"),
  reason: reasonClass.describe("What's wrong with it"),
  note: optional(userText({ max: LIMITS.reportNoteMax, lines: true }))
    .describe("Details for the operator. Required if kind is site. Never published"),
}).refine(({ kind, slug }) => kind === "site" || slug !== null, required("slug"))
  .refine(({ kind, note }) => kind !== "site" || note !== null, required("note")).meta({
    id: "ReportInput",
    description: "A report for the operator to review",
    if: { properties: { kind: { const: "site" } } },
    then: requiredText("note"),
    else: requiredText("slug"),
  });
export type ReportInput = z.output<typeof ReportInput>;

/** A report in the operator's queue. */
export interface StoredReport extends ReportInput {
  id: string;
  /** ms since the epoch. */
  at: number;
}

/** The response to a report. */
export const ReportBody = z.object({
  ok: z.literal(true),
  report: z.object({ id: z.string(), kind, slug: z.string().nullable() }),
  ignoredFields: IgnoredFields,
}).meta({ id: "Report" });

/**
 * Puts a report about a live listing or skill, or about something else on the site, in the
 * operator's queue. Throws `not_found`, `rate_limited`.
 */
export function fileReport(
  deps: Core,
  options: { input: ReportInput; caller: Caller },
): Promise<z.infer<typeof ReportBody>["report"]> {
  const { input, caller } = options;
  const { network } = caller;
  const { kind } = input;
  const slug = kind === "site" ? null : input.slug;
  return deps.store.transact(async (tx) => {
    const at = deps.clock.now();
    if (kind !== "site") requireLive(await tx.peek(entryKey(kind, slug!)), kind);
    await spend(tx, { bucket: "reports", network, now: at });
    const report: StoredReport = { id: createLogId(at), ...input, slug, at };
    tx.set(operatorKeys.report(report.id), report);
    return { id: report.id, kind, slug };
  }, { queue: rateLimitQueue("reports", network) });
}

/** The open reports, oldest first. */
export function listReports(deps: Core): Promise<StoredReport[]> {
  return listValues(deps.store, operatorKeys.reports);
}

/** The open reports on an entry. */
export async function reportsOn(deps: Core, kind: EntryKind, slug: string) {
  const reports = await listReports(deps);
  return reports.filter((report) => report.kind === kind && report.slug === slug);
}

/** Removes a report from the queue. Throws `not_found`. */
export function closeReport(deps: Core, id: string): Promise<StoredReport> {
  return deps.store.transact(async (tx) => {
    const { value } = await tx.get<StoredReport>(operatorKeys.report(id));
    if (value === null) throw notFound(`There is no open report with the id ${id}`);
    tx.delete(operatorKeys.report(id));
    return value;
  });
}
