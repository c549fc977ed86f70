import { currentPeriod } from "../lib/auctions/calendar.ts";
import { nameOfCategory } from "../lib/catalog/categories.ts";
import { nameOfPrice } from "../lib/catalog/pricing.ts";
import { isoTime } from "../lib/clock.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { shortAddress, siteOf } from "../lib/text/addresses.ts";
import { formatCount } from "../lib/text/count.ts";
import { formatSpan } from "../lib/text/dates.ts";
import { displayHost } from "../lib/text/web_url.ts";
import { paths } from "../lib/urls.ts";
import { Dated } from "./Dated.tsx";
import { Fact } from "./Fact.tsx";
import { Wrapping } from "./Path.tsx";
import { Time } from "./Time.tsx";
import { ToolLinks } from "./ToolMark.tsx";
import { VerifiedFact } from "./VerifiedFact.tsx";

/** What to say about a link that was checked. */
const LINK: Record<Exclude<PublicListing["health"]["state"], "not_checked">, string> = {
  alive: "Works",
  moved: "Moved to another address",
  gated: "Needs a login or blocks bots",
  gone: "Not found",
  unreachable: "Not responding",
  unknown: "Unknown",
};

/** Whether the link works, and when it was last checked. */
function LinkFact({ health: { state, checkedAt } }: Pick<PublicListing, "health">) {
  if (state === "not_checked") return <Fact term="Link">Not checked, at the owner's request</Fact>;
  return checkedAt && (
    <Fact term="Link">
      {LINK[state]}, checked <Time iso={checkedAt} />
    </Fact>
  );
}

/**
 * The facts of a listing at `now` (ms) as a list of terms. They name the site only if the button to
 * visit it doesn't.
 */
export function ListingFacts({ listing, now }: { listing: PublicListing; now: number }) {
  const { category, pricing, repoUrl, promotion, verified } = listing;
  const week = currentPeriod(now);
  const address = shortAddress(listing.url);
  return (
    <dl class="facts">
      {address !== siteOf(listing.url) && (
        <Fact term="Site">
          <a href={paths.go(listing.slug)} rel="nofollow ugc noopener">
            <Wrapping text={address} />
          </a>
        </Fact>
      )}
      {category && (
        <Fact term="Category">
          <a href={paths.category(category)}>{nameOfCategory(category)}</a>
        </Fact>
      )}
      {pricing && <Fact term="Price">{nameOfPrice(pricing)}</Fact>}
      {repoUrl && repoUrl !== listing.url && (
        <Fact term="Source">
          <a href={repoUrl} rel="nofollow ugc noopener">
            <Wrapping text={shortAddress(repoUrl)} />
          </a>
        </Fact>
      )}
      {listing.builtWith.length > 0 && (
        <Fact term="Built with">
          <ToolLinks slugs={listing.builtWith} pathOf={paths.tool} />
        </Fact>
      )}
      {listing.submittedBy && <Fact term="Submitted by" dir="auto">{listing.submittedBy}</Fact>}
      {listing.signedBy && <Fact term="Signed by">{displayHost(listing.signedBy)}</Fact>}
      <VerifiedFact verified={verified} />
      <LinkFact health={listing.health} />
      <Fact term="Clicks">{formatCount(listing.clicks)}</Fact>
      <Fact term="Listed">
        <Time iso={listing.createdAt} />
      </Fact>
      {listing.updatedAt !== listing.createdAt && (
        <Fact term="Updated">
          <Time iso={listing.updatedAt} />
        </Fact>
      )}
      {listing.gem && (
        <Fact term="Hidden gem" dir="auto">
          <Dated text={listing.gem.note} />
        </Fact>
      )}
      {listing.sponsored && (
        <Fact term="Sponsored">
          <a href={paths.auction(week.id)}>Front Row</a>,{" "}
          {formatSpan(isoTime(week.startsAt), isoTime(week.endsAt))}
        </Fact>
      )}
      {promotion && (
        <Fact term="Promotion">
          {promotion.name}, until <Time iso={promotion.endsAt} />
        </Fact>
      )}
    </dl>
  );
}
