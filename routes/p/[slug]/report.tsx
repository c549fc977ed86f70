import { ReportPage } from "@/components/ReportPage.tsx";
import { define } from "@/lib/app/define.ts";
import { getListing } from "@/lib/listings/service.ts";
import { reportHandlers } from "@/lib/operator/report_handlers.ts";
import { paths } from "@/lib/urls.ts";

export const handler = reportHandlers(
  "listing",
  async (deps, slug) => (await getListing(deps, slug)).name,
);

export default define.page<typeof handler>(function ReportListing({ data, state, params }) {
  const slug = params.slug!;
  return (
    <ReportPage
      {...data}
      page={paths.listing(slug)}
      action={paths.listingReport(slug)}
      deps={state.deps}
      entry={{ kind: "listing", slug }}
    />
  );
});
