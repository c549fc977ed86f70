import { EditKey } from "@/components/EditKey.tsx";
import { LISTING_LABELS, ListingFields } from "@/components/ListingFields.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { SubmitPage } from "@/components/SubmitPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { badgeSnippets } from "@/lib/listings/badge.ts";
import { LISTING_FORM } from "@/lib/listings/form.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { type CreatedListing, createListing } from "@/lib/listings/service.ts";
import { submissionHandlers } from "@/lib/site/submission_handlers.ts";
import { shownSwitches, whenListed } from "@/lib/switches.ts";
import { paths } from "@/lib/urls.ts";

export const handler = submissionHandlers({
  form: LISTING_FORM,
  schema: ListingInput,
  create: createListing,
  fieldOf: { duplicate_url: "url" },
});

export default define.page<typeof handler>(async function Submit({ data, state: { deps } }) {
  if (data.created !== undefined) return <Submitted created={data.created} deps={deps} />;
  return (
    <SubmitPage
      deps={deps}
      data={data}
      title="Submit a project"
      description="List a project"
      when={whenListed(await shownSwitches(deps))}
      needed="three"
      path={paths.submit}
      api={paths.apiListings}
      example={paths.agents}
      Fields={ListingFields}
      labels={LISTING_LABELS}
      duplicate={(slug) =>
        deps.catalogue.has(slug)
          ? (
            <>
              This URL is listed already:{" "}
              <a href={paths.listing(slug)}>see its entry</a>. If you did that a moment ago, it is
              saved; its edit key was shown once.
            </>
          )
          : "The entry with this URL is not public: it waits for review, or the operator hid it."}
      button="List it"
    />
  );
});

function Submitted({ created, deps }: { created: CreatedListing; deps: Deps }) {
  const { project, editKey, pending } = created;
  const badge = badgeSnippets(project);
  return (
    <main id="main" class="page narrow">
      <PageHead
        deps={deps}
        title={pending ? "Waiting for review" : "Listed"}
      />
      {pending
        ? (
          <h1>
            Thank you. <span class="together">It waits for review</span>
          </h1>
        )
        : <h1>It is in the index</h1>}
      <p class="lead">
        {pending
          ? (
            <>
              The operator looks at new entries first. <span dir="auto">{project.name}</span>{" "}
              will show at <code>{project.page}</code>.
            </>
          )
          : (
            <>
              <a href={paths.listing(project.slug)} dir="auto">{project.name}</a> is live now.
            </>
          )}
      </p>
      <EditKey editKey={editKey} form={paths.listingEdit(project.slug)} />
      {!pending && (
        <section class="panel" aria-labelledby="next">
          <h2 id="next">Show that it is listed</h2>
          <Snippet label="Badge in Markdown" text={badge.markdown} />
          <Snippet label="Badge in HTML" text={badge.html} />
        </section>
      )}
    </main>
  );
}
