import { page } from "fresh";
import { type FormValues, ProblemSummary, TextField } from "@/components/FormField.tsx";
import { LISTING_LABELS, ListingFields } from "@/components/ListingFields.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { define } from "@/lib/define.ts";
import type { FieldProblem } from "@/lib/errors.ts";
import { parseInput, readForm } from "@/lib/http/input.ts";
import { seeOther } from "@/lib/http/respond.ts";
import { listingPatchFromForm } from "@/lib/listings/form.ts";
import { ListingPatch, type PublicListing } from "@/lib/listings/schema.ts";
import { getListing, requireListingKey, updateListing } from "@/lib/listings/service.ts";
import { submitForm, textOf } from "@/lib/site/forms.ts";
import { paths } from "@/lib/urls.ts";

interface Data {
  listing: PublicListing;
  values: FormValues;
  problems: FieldProblem[];
}

const NO_STORE = { headers: { "Cache-Control": "private, no-store" } };

export const handler = define.handlers({
  async GET(ctx) {
    const listing = await getListing(ctx.state.deps, ctx.params.slug!);
    return page<Data>({ listing, values: toValues(listing), problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const listing = await getListing(deps, slug);
    const values = await readForm(ctx.req);
    const editKey = textOf(values, "editKey")?.trim() ?? "";
    const result = await submitForm(async () => {
      await requireListingKey(deps, { slug, editKey, caller });
      const patch = parseInput(ListingPatch, listingPatchFromForm(values));
      return await updateListing(deps, { slug, editKey, patch, caller });
    }, { duplicate_url: "url", bad_edit_key: "editKey" });
    if (result.ok) return seeOther(deps.urls, paths.listing(slug));
    const { status, problems } = result;
    return page<Data>({ listing, values, problems }, { ...NO_STORE, status });
  },
});

function toValues(listing: PublicListing): FormValues {
  return Object.fromEntries(
    Object.keys(ListingPatch.shape).map((name) => {
      const value = listing[name as keyof PublicListing];
      return [name, Array.isArray(value) ? value : value === null ? undefined : value as string];
    }),
  );
}

export default define.page<typeof handler>(function EditListing({ data, state }) {
  const { listing, values, problems } = data;
  return (
    <main id="main" class="page narrow">
      <PageHead title={`Edit ${listing.name}`} urls={state.deps.urls} />
      <h1>
        Edit <span dir="auto">{listing.name}</span>
      </h1>
      <p class="lead">
        For whoever holds the edit key that was shown when{" "}
        <a href={paths.listing(listing.slug)}>the entry</a> was made.
      </p>
      <ProblemSummary problems={problems} labels={LISTING_LABELS} />
      <form method="post" action={paths.listingEdit(listing.slug)} class="form">
        <TextField
          name="editKey"
          label={LISTING_LABELS.editKey!}
          type="password"
          problems={problems}
          required
          value={Array.isArray(values.editKey) ? values.editKey[0] : values.editKey}
          autocomplete="current-password"
          hint={
            <>
              Starts with <code>pik_</code>.
            </>
          }
        />
        <ListingFields values={values} problems={problems} />
        <button type="submit" class="button primary">Save</button>
      </form>
    </main>
  );
});
