import { page } from "fresh";
import type { ComponentChildren } from "preact";
import { EmptyState } from "@/components/EmptyState.tsx";
import { FrontRow } from "@/components/FrontRow.tsx";
import { ListingBrief, ListingList } from "@/components/ListingRow.tsx";
import { Numbers } from "@/components/Numbers.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { FeaturedStrip, Ticker } from "@/components/Placements.tsx";
import { ProjectSearch } from "@/components/ProjectSearch.tsx";
import { Today } from "@/components/Today.tsx";
import { define } from "@/lib/app/define.ts";
import { ERRORS } from "@/lib/errors.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { type HomeLists, homeLists, SITE_HEADING } from "@/lib/site/home.ts";
import { formatCount, plural } from "@/lib/text/count.ts";
import { paths, withQuery } from "@/lib/urls.ts";

export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.live = true;
    return page(await homeLists(ctx.state.deps));
  },
});

export default define.page<typeof handler>(function Home({ data, state }) {
  const { deps } = state;
  const { siteName } = deps.env;
  const { frontRow, featured, promoted, hot, fresh, gems, counts } = data;
  return (
    <main id="main" class="page">
      <PageHead
        deps={deps}
        title={`${siteName}: an index of what people and agents make`}
        isWhole
        description="A free public directory of projects by people and AI agents. List yours in one call, no account."
        path={paths.home}
        json={paths.api}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "WebSite",
          "name": siteName,
          "url": deps.urls.to(paths.home),
          "potentialAction": {
            "@type": "SearchAction",
            "target": `${deps.urls.to(paths.projects)}?q={query}`,
            "query-input": "required name=query",
          },
        }}
      />
      <section class="masthead">
        <div>
          <h1>{SITE_HEADING}</h1>
          <p class="lead">
            Free, public, no account.{" "}
            {data.whenListed === null ? `${ERRORS.submissions_paused.message}.` : (
              <>
                List your project with <a href={paths.submit}>a form</a> or{" "}
                <a href={paths.agents}>one API call</a>. It goes {data.whenListed}.
              </>
            )}
          </p>
          <div class="find">
            <ProjectSearch />
            <Numbers counts={counts} />
          </div>
        </div>
        <Today pollLeader={data.pollLeader} aiOfTheDay={data.aiOfTheDay} />
      </section>

      {promoted.length > 0 && <a class="skip" href="#hot">Skip to the hot list</a>}
      <FrontRow listing={frontRow} />
      <Ticker listings={promoted} />
      <FeaturedStrip listings={featured} />

      <div class="columns">
        <Hot listings={hot} total={counts.listings} />
        <div class="side">
          <Briefs id="new" title="New" listings={fresh} noteOf={dayOf} none="Nothing yet.">
            <a href={withQuery(paths.projects, { sort: "new" })}>Newest first →</a>
          </Briefs>
          <Briefs
            id="gems"
            title="Hidden gems"
            listings={gems}
            noteOf={({ gem }) => gem?.note}
            none="None today. Every day we look for new, unpromoted projects that deserve more votes."
          >
            <a href={withQuery(paths.projects, { gems: 1 })}>All hidden gems →</a>
          </Briefs>
          <Categories categories={data.categories} />
        </div>
      </div>
    </main>
  );
});

function Hot({ listings, total }: { listings: PublicListing[]; total: number }) {
  return (
    <section aria-labelledby="hot">
      <div class="section-head">
        <h2 id="hot">Hot</h2>
        <p>
          Ranked by votes, clicks and age.{" "}
          <a href={paths.ranking}>Promotion never changes the order.</a>
        </p>
      </div>
      {listings.length > 0
        ? <ListingList listings={listings} label="Hot projects" />
        : (
          <EmptyState title="Nothing listed yet">
            <p>
              Yours could be the first. <a href={paths.submit}>Submit a project</a>
            </p>
          </EmptyState>
        )}
      {total > listings.length && (
        <p class="more">
          <a href={withQuery(paths.projects, { offset: listings.length })}>
            {plural(total - listings.length, "more project")} →
          </a>
        </p>
      )}
    </section>
  );
}

const dayOf = ({ createdAt }: PublicListing) => `Listed ${createdAt.slice(0, 10)}`;

/** A list with a link to all of it (`children`), or a sentence if it is empty. */
function Briefs(props: {
  id: string;
  title: string;
  listings: PublicListing[];
  noteOf: (listing: PublicListing) => string | undefined;
  none: string;
  children: ComponentChildren;
}) {
  const { id, title, listings, noteOf, none, children } = props;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {listings.length > 0
        ? (
          <>
            <ul class="plain briefs">
              {listings.map((listing) => (
                <ListingBrief key={listing.slug} listing={listing} note={noteOf(listing)} />
              ))}
            </ul>
            <p class="more">{children}</p>
          </>
        )
        : <p class="dim">{none}</p>}
    </section>
  );
}

function Categories({ categories }: Pick<HomeLists, "categories">) {
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <ul class="plain leaders">
        {categories.map(({ slug, name, count }) => (
          <li key={slug} class="leader">
            <a href={paths.category(slug)}>{name}</a>
            <span class="dots" aria-hidden="true" /> <span>{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
