import { badgeSnippets } from "../lib/listings/badge.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { plural } from "../lib/text/count.ts";
import { paths } from "../lib/urls.ts";
import { Snippet } from "./Snippet.tsx";

/** A project's link and badge, to copy. */
export function Share({ listing, siteName }: { listing: PublicListing; siteName: string }) {
  const badge = badgeSnippets(listing);
  return (
    <section class="panel" aria-labelledby="share">
      <h2 id="share">Share</h2>
      <Snippet label="Link" text={listing.page} />
      <details id="badge">
        <summary>Badge for your site or README</summary>
        <p>
          <img
            src={paths.badge(listing.slug)}
            alt={`Listed on ${siteName}, ${plural(listing.votes, "vote")}`}
            height="24"
            data-fresh-disable-lock
          />
        </p>
        <Snippet label="Markdown" text={badge.markdown} />
        <Snippet label="HTML" text={badge.html} />
      </details>
    </section>
  );
}
