import { EditKey } from "@/components/EditKey.tsx";
import { LISTING_LABELS, ListingFields } from "@/components/ListingFields.tsx";
import { ListingPreview } from "@/components/ListingPreview.tsx";
import { ListingBrief } from "@/components/ListingRow.tsx";
import { Page } from "@/components/Page.tsx";
import { Share } from "@/components/Share.tsx";
import { SubmitPage } from "@/components/SubmitPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { LISTING_FORM } from "@/lib/listings/form.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { createListing, previewListing } from "@/lib/listings/service.ts";
import { channelsOf } from "@/lib/notices/channels.ts";
import { submissionHandlers } from "@/lib/site/submission_handlers.ts";
import { shownSwitches, whenListed } from "@/lib/switches.ts";
import { paths } from "@/lib/urls.ts";

export const handler = submissionHandlers({
  form: LISTING_FORM,
  schema: ListingInput,
  create: createListing,
  preview: previewListing,
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
      needed="name, URL and tagline"
      path={paths.submit}
      api={paths.apiListings}
      example={paths.agents}
      Fields={(props) => <ListingFields {...props} channels={channelsOf(deps.env)} />}
      labels={LISTING_LABELS}
      duplicate={(slug) =>
        deps.catalogue.has(slug)
          ? (
            <>
              <a href={paths.listing(slug)}>See the project</a>. If you just submitted it, it was
              saved, and its edit key was on the confirmation page.
            </>
          )
          : "A listing with this URL exists but isn't public: it's waiting for review, or it was hidden."}
      button="Submit project"
      preview={data.preview && <ListingPreview listing={data.preview} now={deps.clock.now()} />}
    />
  );
});

function Submitted(
  { created, deps }: { created: Awaited<ReturnType<typeof createListing>>; deps: Deps },
) {
  const { project, editKey, pending } = created;
  return (
    <Page deps={deps} title={pending ? "Waiting for review" : "Listed"} isNarrow>
      {pending
        ? (
          <>
            <h1>
              Thank you. <span class="together">Your project is waiting for review</span>
            </h1>
            <p class="lead">
              New listings are reviewed first. <span dir="auto">{project.name}</span> will appear at
              {" "}
              <code>{project.page}</code>.
            </p>
          </>
        )
        : (
          <>
            <h1>Your project is live</h1>
            <p class="lead">Save your edit key, then share the link.</p>
            <ul class="plain briefs">
              <ListingBrief listing={project} />
            </ul>
          </>
        )}
      <EditKey editKey={editKey} form={paths.editOf(paths.listing(project.slug))} />
      {!pending && (
        <>
          <Share listing={project} siteName={deps.env.siteName} />
          <p class="more">
            <a class="button primary" href={paths.listing(project.slug)}>See your project</a>
          </p>
        </>
      )}
    </Page>
  );
}
