import { page } from "fresh";
import { EmptyState } from "@/components/EmptyState.tsx";
import { CategoryChips } from "@/components/ListAside.tsx";
import { ListingBrief, ListingList } from "@/components/ListingRow.tsx";
import { Numbers } from "@/components/Numbers.tsx";
import { Page } from "@/components/Page.tsx";
import { PaidPlaces } from "@/components/PaidPlaces.tsx";
import { ProjectSearch } from "@/components/ProjectSearch.tsx";
import { SkillBrief } from "@/components/SkillRow.tsx";
import { Today } from "@/components/Today.tsx";
import { define } from "@/lib/app/define.ts";
import { ERRORS } from "@/lib/errors.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { homeLists, SITE_HEADING } from "@/lib/site/home.ts";
import { plural } from "@/lib/text/count.ts";
import { paths, withQuery } from "@/lib/urls.ts";

export const handler = define.handlers({
  GET: async (ctx) => page(await homeLists(ctx.state.deps)),
});

export default define.page<typeof handler>(function Home({ data, state }) {
  const { deps } = state;
  const { siteName } = deps.env;
  const { promoted, hot, fresh, gems, skills } = data;
  const now = deps.clock.now();
  return (
    <Page
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
      heading={SITE_HEADING}
      lead={
        <>
          Vote for the apps, tools and games you like.{" "}
          {data.whenListed === null ? `${ERRORS.submissions_paused.message}.` : (
            <>
              List your own for free with <a class="together" href={paths.submit}>a form</a> or{" "}
              <a href={paths.agents}>one API call</a>. No account needed.{" "}
              <span class="wide">Projects go {data.whenListed}.</span>
            </>
          )}
        </>
      }
      first={
        <>
          <ProjectSearch />
          <Numbers catalogue={deps.catalogue} />
        </>
      }
    >
      {promoted.length > 0 && <a class="skip" href="#hot">Skip to the hot list</a>}
      <PaidPlaces {...data} />

      <div class="columns">
        <Hot listings={hot} total={deps.catalogue.size} now={now} />
        <div class="side">
          <CategoryChips deps={deps} />
          {gems.length > 0 && (
            <section aria-labelledby="gems">
              <h2 id="gems">Hidden gems</h2>
              <ul class="plain briefs">
                {gems.map((listing) => (
                  <ListingBrief key={listing.slug} listing={listing} now={now} gems />
                ))}
              </ul>
              <p class="more">
                <a href={withQuery(paths.projects, { gems: 1 })}>All hidden gems →</a>
              </p>
            </section>
          )}
          {fresh.length > 0 && (
            <section aria-labelledby="new">
              <h2 id="new">Also new</h2>
              <ul class="plain briefs">
                {fresh.map((listing) => (
                  <ListingBrief key={listing.slug} listing={listing} now={now} />
                ))}
              </ul>
              <p class="more">
                <a href={withQuery(paths.projects, { sort: "new" })}>All new projects →</a>
              </p>
            </section>
          )}
          <Today pollLeader={data.pollLeader} aiOfTheDay={data.aiOfTheDay} />
          {skills.length > 0 && (
            <section aria-labelledby="skills">
              <h2 id="skills">Skills</h2>
              <ul class="plain briefs">
                {skills.map((skill) => <SkillBrief key={skill.slug} skill={skill} />)}
              </ul>
              <p class="more">
                <a href={paths.skills}>All skills →</a>
              </p>
            </section>
          )}
        </div>
      </div>
    </Page>
  );
});

function Hot(
  { listings, total, now }: { listings: PublicListing[]; total: number; now: number },
) {
  return (
    <section aria-labelledby="hot">
      <div class="section-head">
        <h2 id="hot">Hot</h2>
        <p>
          <span class="wide">Ranked by votes, clicks and age.</span>{" "}
          <a href={paths.ranking}>Promotion doesn't change this order</a>.
        </p>
      </div>
      {listings.length > 0
        ? <ListingList listings={listings} label="Hot projects" now={now} />
        : total > 0
        ? (
          <EmptyState title="Every project is promoted right now">
            <p>
              You can see them all above. <a href={paths.submit}>Submit a project</a>
            </p>
          </EmptyState>
        )
        : (
          <EmptyState title="Nothing listed yet">
            <p>
              <a class="button primary" href={paths.submit}>Submit the first project</a>
            </p>
          </EmptyState>
        )}
      {total > listings.length && (
        <p class="more">
          <a class="button" href={paths.projects}>Browse all {plural(total, "project")}</a>
        </p>
      )}
    </section>
  );
}
