import { page } from "fresh";
import { type FormState, readTyped, submitForm, textOf, UNSENT } from "../http/forms.ts";
import { parseInput } from "../http/input.ts";
import { seeOther } from "../http/respond.ts";
import type { Asked } from "../http/state.ts";
import { readEntry } from "../owners/handlers.ts";
import { withQuery } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { fileReport, ReportInput } from "./reports.ts";

/** What a report page shows; `isSent` once the report is in the queue. */
export interface ReportData extends FormState {
  name: string;
  isSent: boolean;
}

/** The handlers for a page that reports an entry. The site has no slug. */
export function reportHandlers(kind: ReportInput["kind"]) {
  const nameOf = async (deps: Deps, slug: string) =>
    kind === "site" ? "something on this site" : (await readEntry(deps, kind, slug)).name;
  return {
    async GET(ctx: Asked<Deps>) {
      const name = await nameOf(ctx.state.deps, ctx.params.slug ?? "");
      const isSent = ctx.url.searchParams.has("sent");
      return page<ReportData>({ name, values: {}, problems: [], isSent }, UNSENT);
    },

    async POST(ctx: Asked<Deps>) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug ?? "";
      const values = await readTyped(ctx);
      const name = await nameOf(deps, slug);
      const result = await submitForm(() => {
        const [reason, note] = [textOf(values, "reason"), textOf(values, "note")];
        const input = parseInput(ReportInput, { kind, slug: slug || null, reason, note });
        return fileReport(deps, { input, caller });
      });
      if (result.ok) return seeOther(deps.urls, withQuery(ctx.url.pathname, { sent: 1 }));
      const { init, problems } = result;
      return page<ReportData>({ name, values, problems, isSent: false }, init);
    },
  };
}
