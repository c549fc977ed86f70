import { page } from "fresh";
import { type EditData, EditPage } from "@/components/EditPage.tsx";
import { LISTING_LABELS, ListingFields } from "@/components/ListingFields.tsx";
import { define } from "@/lib/app/define.ts";
import {
  editKeyOf,
  NO_STORE,
  readTyped,
  requireCurrent,
  submitForm,
  valuesOf,
} from "@/lib/http/forms.ts";
import { parseInput } from "@/lib/http/input.ts";
import { seeOther } from "@/lib/http/respond.ts";
import { LISTING_FORM, listingPatchFromForm } from "@/lib/listings/form.ts";
import { ListingPatch } from "@/lib/listings/schema.ts";
import { getEditable, getOwnListing, updateListing } from "@/lib/listings/service.ts";
import { channelsOf } from "@/lib/notices/channels.ts";
import { paths } from "@/lib/urls.ts";

/**
 * A listing that is waiting for review is shown only to the holder of its edit key. So its form
 * asks for the key before it shows the fields, and again when they are saved: no response to
 * an edit returns the key.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const slug = ctx.params.slug!;
    const listing = await getEditable(ctx.state.deps, slug);
    if (listing === null) {
      const data = { name: slug, values: {}, problems: [], pending: "locked" } as const;
      return page<EditData>(data, NO_STORE);
    }
    const values = valuesOf(listing, LISTING_FORM);
    return page<EditData>({ name: listing.name, values, problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const values = await readTyped(ctx);
    const listing = await getEditable(deps, slug);
    const own = { slug, editKey: editKeyOf(values), caller };
    const name = listing?.name ?? slug;
    if ("unlock" in values) {
      // It has since been approved, so its fields are no secret.
      if (listing !== null) return seeOther(deps.urls, paths.editOf(paths.listing(slug)));
      const result = await submitForm(() => getOwnListing(deps, own));
      const shown = result.ok
        ? { values: valuesOf(result.value, LISTING_FORM), problems: [], pending: "open" } as const
        : { values: {}, problems: result.problems, pending: "locked" } as const;
      return page<EditData>({ name, ...shown }, result.ok ? NO_STORE : result.init);
    }
    const edit = () =>
      updateListing(deps, {
        ...own,
        readPatch: () => parseInput(ListingPatch, listingPatchFromForm(values)),
        requireCurrent: (updatedAt) => requireCurrent(values, updatedAt),
      });
    const result = await submitForm(edit);
    if (result.ok) {
      const shown = deps.catalogue.has(slug)
        ? paths.listing(slug)
        : paths.editOf(paths.listing(slug));
      return seeOther(deps.urls, `${shown}#saved`);
    }
    const { init, problems } = result;
    const pending = listing === null ? "open" : undefined;
    return page<EditData>({ name, values, problems, pending }, init);
  },
});

export default define.page<typeof handler>(function EditListing({ data, state, params }) {
  const slug = params.slug!;
  const channels = channelsOf(state.deps.env);
  return (
    <EditPage
      {...data}
      deps={state.deps}
      kind="listing"
      slug={slug}
      claim={data.pending ? undefined : paths.claimOf(paths.listing(slug))}
      more={{
        "Notices": channels.webhook && paths.listingNotices(slug),
        "Promotion report": paths.listingPromotionReport(slug),
        "Billing": !data.pending && state.deps.stripe && paths.listingBilling(slug),
      }}
      Fields={(props) => <ListingFields {...props} channels={channels} isStored />}
      labels={LISTING_LABELS}
    />
  );
});
