import { page } from "fresh";
import { type EditData, EditPage } from "@/components/EditPage.tsx";
import { LISTING_LABELS, ListingFields } from "@/components/ListingFields.tsx";
import { define } from "@/lib/define.ts";
import { readForm } from "@/lib/http/body.ts";
import { parseInput } from "@/lib/http/input.ts";
import { seeOther } from "@/lib/http/respond.ts";
import { LISTING_FORM, listingPatchFromForm } from "@/lib/listings/form.ts";
import { ListingPatch } from "@/lib/listings/schema.ts";
import { getListing, updateListing } from "@/lib/listings/service.ts";
import { editKeyOf, NO_STORE, submitForm, valuesOf } from "@/lib/site/forms.ts";
import { paths, withQuery } from "@/lib/urls.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const listing = await getListing(ctx.state.deps, ctx.params.slug!);
    const values = valuesOf(listing, LISTING_FORM);
    return page<EditData>({ name: listing.name, values, problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const { name } = await getListing(deps, slug);
    const values = await readForm(ctx.req);
    const editKey = editKeyOf(values);
    const readPatch = () => parseInput(ListingPatch, listingPatchFromForm(values));
    const edit = () => updateListing(deps, { slug, editKey, caller, readPatch });
    const result = await submitForm(edit, { duplicate_url: "url", bad_edit_key: "editKey" });
    if (result.ok) return seeOther(deps.urls, withQuery(paths.listing(slug), { saved: 1 }));
    const { init, problems } = result;
    return page<EditData>({ name, values, problems }, init);
  },
});

export default define.page<typeof handler>(function EditListing({ data, state, params }) {
  const slug = params.slug!;
  return (
    <EditPage
      {...data}
      deps={state.deps}
      page={paths.listing(slug)}
      action={paths.listingEdit(slug)}
      Fields={(props) => <ListingFields {...props} isStored />}
      labels={LISTING_LABELS}
    />
  );
});
