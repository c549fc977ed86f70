import { pricingModels } from "../lib/catalog/pricing.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { paths } from "../lib/urls.ts";
import { shortAddress } from "./format.ts";
import { formatCount } from "../lib/text/count.ts";
import { nameOfCategory } from "./ListingRow.tsx";
import { Time } from "./Time.tsx";
import { ToolLinks } from "./ToolMark.tsx";

/** The facts of a listing as a table of terms. */
export function ListingFacts({ listing }: { listing: PublicListing }) {
  const { category, pricing, repoUrl, promotion } = listing;
  return (
    <dl class="facts">
      <dt>Site</dt>
      <dd>
        <a href={paths.go(listing.slug)} rel="nofollow ugc noopener">{shortAddress(listing.url)}</a>
      </dd>
      {category && (
        <>
          <dt>Category</dt>
          <dd>
            <a href={paths.category(category)}>{nameOfCategory(category)}</a>
          </dd>
        </>
      )}
      {pricing && (
        <>
          <dt>Price</dt>
          <dd>{pricingModels.find(({ slug }) => slug === pricing)!.name}</dd>
        </>
      )}
      {repoUrl && (
        <>
          <dt>Source</dt>
          <dd>
            <a href={repoUrl} rel="nofollow ugc noopener">{shortAddress(repoUrl)}</a>
          </dd>
        </>
      )}
      {listing.builtWith.length > 0 && (
        <>
          <dt>Built with</dt>
          <dd>
            <ToolLinks slugs={listing.builtWith} />
          </dd>
        </>
      )}
      {listing.submittedBy && (
        <>
          <dt>Submitted by</dt>
          <dd dir="auto">{listing.submittedBy}</dd>
        </>
      )}
      <dt>Visits sent</dt>
      <dd>{formatCount(listing.clicks)}</dd>
      <dt>Listed</dt>
      <dd>
        <Time iso={listing.createdAt} />
      </dd>
      {listing.updatedAt !== listing.createdAt && (
        <>
          <dt>Updated</dt>
          <dd>
            <Time iso={listing.updatedAt} />
          </dd>
        </>
      )}
      {promotion && (
        <>
          <dt>Promotion</dt>
          <dd>
            {promotion.name}, until <Time iso={promotion.endsAt} />
          </dd>
        </>
      )}
    </dl>
  );
}
