import { parseInput } from "../http/input.ts";
import { type FormResult, submitForm, textOf } from "../site/forms.ts";
import type { Deps } from "../deps.ts";
import type { Caller } from "../http/caller.ts";
import { fileReport, ReportInput } from "./reports.ts";

/** Files a report from a posted form about one item. */
export function reportFromForm(
  deps: Deps,
  options: {
    kind: ReportInput["kind"];
    slug: string;
    form: Record<string, string | string[]>;
    caller: Caller;
  },
): Promise<FormResult<unknown>> {
  const { kind, slug, form, caller } = options;
  return submitForm(() => {
    const reason = textOf(form, "reason");
    const input = parseInput(ReportInput, { kind, slug, reason, note: textOf(form, "note") });
    return fileReport(deps, { input, caller });
  }, { rate_limited: "reason" });
}
