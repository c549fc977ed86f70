import { page } from "fresh";
import { ListingFacts } from "@/components/ListingFacts.tsx";
import { ListingBrief } from "@/components/ListingRow.tsx";
import { Description } from "@/components/Markdown.tsx";
import { OwnerLinks } from "@/components/OwnerLinks.tsx";
import { Page } from "@/components/Page.tsx";
import { PromotedLabel } from "@/components/PromotedLabel.tsx";
import { SavedNotice } from "@/components/SavedNotice.tsx";
import { Share } from "@/components/Share.tsx";
import { Tags } from "@/components/Tags.tsx";
import { ListingTile } from "@/components/Tile.tsx";
import { Vote } from "@/components/Vote.tsx";
import { define } from "@/lib/app/define.ts";
import { openPeriod } from "@/lib/auctions/calendar.ts";
import { nameOfCategory } from "@/lib/catalog/categories.ts";
import { cached, entity, TYPES, wantsMarkdown } from "@/lib/http/respond.ts";
import { listingCard } from "@/lib/listings/markdown.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { getListing } from "@/lib/listings/service.ts";
import { siteOf } from "@/lib/text/addresses.ts";
import { paths, withQuery } from "@/lib/urls.ts";

/** How many hot projects are shown instead of similar ones, if there are none. */
const HOT = 4;

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const listing = await getListing(deps, ctx.params.slug!);
    if (wantsMarkdown(ctx.req, "text/html")) {
      return cached(ctx, entity(listingCard(listing), TYPES.markdown));
    }
    const { catalogue } = deps;
    const also = catalogue.alike(listing.slug);
    // Only if needed: ranking a large directory takes a while.
    const hot = also.length > 0 ? [] : catalogue.list({ sort: "hot", limit: HOT + 1 }).items
      .filter(({ slug }) => slug !== listing.slug).slice(0, HOT);
    return page({ listing, also, hot });
  },
});

export default define.page<typeof handler>(function ListingPage({ data, state }) {
  const { listing, also, hot } = data;
  const { slug, name, tagline } = listing;
  const path = paths.listing(slug);
  const { env } = state.deps;
  const now = state.deps.clock.now();
  const open = openPeriod(now);
  // Some descriptions repeat the tagline or begin with it. Only one of the two is shown.
  const description = listing.description === tagline ? null : listing.description;
  const isRepeated = description?.startsWith(tagline.replace(/…$/, ""));
  return (
    <Page
      deps={state.deps}
      title={name}
      description={tagline}
      path={path}
      json={paths.apiListing(slug)}
      image={paths.imageOf(path)}
      jsonLd={{
        "@context": "https://schema.org",
        "@type": "WebPage",
        "name": name,
        "url": listing.page,
        // The dates of this page: we don't know when the project itself was made.
        "datePublished": listing.createdAt,
        "dateModified": listing.updatedAt,
        "mainEntity": {
          "@type": "Thing",
          "name": name,
          "description": tagline,
          "url": listing.url,
        },
      }}
    >
      <SavedNotice>Saved.</SavedNotice>
      <article>
        <ListingHead listing={listing} voted={state.voted} tagline={isRepeated ? null : tagline} />
        <div class="columns">
          {(description !== null || listing.tags.length > 0) && (
            <section aria-label="Description">
              {description !== null && <Description text={description} />}
              <Tags tags={listing.tags} path={paths.projects} />
            </section>
          )}
          <aside class="side" aria-label="Facts">
            <section aria-labelledby="details">
              <h2 id="details">Details</h2>
              <ListingFacts listing={listing} now={now} />
              <p class="dim">
                <a href={paths.markdown(path)}>Markdown</a> ·{" "}
                <a href={paths.apiListing(slug)}>JSON</a> ·{" "}
                <a href={paths.reportOf(path)}>Report this listing</a>
              </p>
            </section>
          </aside>
          <div class="below">
            {also.length > 0
              ? <Others title="See also" listings={also} category={listing.category} />
              : hot.length > 0 && <Others title="Hot projects" listings={hot} />}
            <div class="panels">
              <Share listing={listing} siteName={env.siteName} />
              <OwnerLinks
                noun="project"
                links={{
                  "Claim it": paths.claimOf(path),
                  "Edit": paths.editOf(path),
                  "Billing": state.deps.stripe && paths.listingBilling(slug),
                  "Promote": withQuery(paths.promote, { slug }),
                  "Front Row": open ? withQuery(paths.auction(open.id), { slug }) : paths.auctions,
                }}
              />
            </div>
          </div>
        </div>
      </article>
    </Page>
  );
});

function ListingHead(
  { listing, voted, tagline }: {
    listing: PublicListing;
    voted?: boolean | null;
    tagline: string | null;
  },
) {
  return (
    <header class="listing-head">
      <ListingTile listing={listing} size="large" />
      <div class="listing-title">
        <h1 dir="auto">{listing.name}</h1>
        {tagline && <p class="lead" dir="auto">{tagline}</p>}
        <p class="labels">
          <PromotedLabel listing={listing} />
          {listing.gem && <span class="label">Hidden gem</span>}
        </p>
      </div>
      <div class="listing-actions" id="vote">
        <Vote {...listing} kind="listing" voted={voted} />
        <a class="button primary" href={paths.go(listing.slug)} rel="nofollow ugc noopener">
          Visit {siteOf(listing.url)}
        </a>
      </div>
    </header>
  );
}

function Others(
  { title, listings, category }: {
    title: string;
    listings: PublicListing[];
    category?: PublicListing["category"];
  },
) {
  return (
    <section aria-labelledby="also" class="panel">
      <div class="section-head">
        <h2 id="also">{title}</h2>
        {category && listings.some((listing) => listing.category === category) && (
          <p>
            All in <a href={paths.category(category)}>{nameOfCategory(category)}</a>
          </p>
        )}
      </div>
      <ul class="plain briefs shelf">
        {listings.map((listing) => <ListingBrief key={listing.slug} listing={listing} />)}
      </ul>
    </section>
  );
}
