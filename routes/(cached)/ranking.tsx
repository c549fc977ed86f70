import { Page } from "@/components/Page.tsx";
import { PromotedLabel } from "@/components/PromotedLabel.tsx";
import { Table } from "@/components/Table.tsx";
import { Topic } from "@/components/Topic.tsx";
import { define } from "@/lib/app/define.ts";
import { HOLDER_DAY_CAPS, LIMITS, RATE_LIMITS } from "@/lib/limits.ts";
import { formatCount } from "@/lib/text/count.ts";
import { paths, withQuery } from "@/lib/urls.ts";

export default define.page(function Ranking({ state }) {
  const { catalogue } = state.deps;
  const { rows } = catalogue.select({ sort: "hot", limit: 5 });
  return (
    <Page
      deps={state.deps}
      title="How ranking works"
      description="The formula behind the hot list, and what never changes it."
      path={paths.ranking}
      json={`${paths.api}/ranking`}
      lead="One public formula, the same for everyone."
    >
      <Topic id="hot" title="Hot">
        <p class="formula">
          (votes + clicks × 0.1 + 1) ÷ (age in hours + 2)<sup>1.5</sup>
        </p>
        <p>
          One vote counts as much as ten clicks, and every project cools with age. Paid placement
          never changes this or any of the orders below.
        </p>
        {rows.length > 0 && (
          <Table
            label="Current top five"
            caption="Current top five"
            columns={["Project", { num: "Votes" }, { num: "Clicks" }, { num: "Age (hours)" }, {
              num: "Score",
            }]}
          >
            {rows.map((row) => {
              const { votes, uses, ageHours, score } = catalogue.explain(row);
              const { slug } = row;
              const listing = catalogue.toPublic(row);
              return (
                <tr key={slug}>
                  <th scope="row">
                    <a href={paths.listing(slug)} dir="auto">{listing.name}</a>{" "}
                    <PromotedLabel listing={listing} />
                  </th>
                  <td class="num">{formatCount(votes)}</td>
                  <td class="num">{formatCount(uses)}</td>
                  <td class="num">{ageHours.toFixed(1)}</td>
                  <td class="num">{score.toFixed(4)}</td>
                </tr>
              );
            })}
          </Table>
        )}
        <p>
          Add{" "}
          <a href={withQuery(paths.apiListings, { explain: "1" })}>
            <code>?explain=1</code>
          </a>{" "}
          to <code>{paths.apiListings}</code> to see how each score is calculated.
        </p>
      </Topic>
      <Topic id="others" title="Other orders">
        <ul>
          <li>The New list sorts by date, and the Most votes list by all-time votes.</li>
          <li>
            Search ranks by text match only. The name counts most, then tags and category, then the
            tagline. The description, tools and address count least. Rare words count more than
            common ones.
          </li>
        </ul>
      </Topic>
      <Topic id="votes" title="Votes">
        <ul>
          <li>One vote per voter for each project. You can take it back.</li>
          <li>
            We recognize voters by a salted hash of network and browser. Each day, up to{" "}
            {LIMITS.votersPerNetworkDay} voters per network ({HOLDER_DAY_CAPS.voters}{" "}
            per IPv6 /48) count toward a project. A network can vote up to {RATE_LIMITS.votes}{" "}
            times an hour.
          </li>
          <li>Every vote counts the same. Votes that look coordinated can be held.</li>
        </ul>
      </Topic>
      <Topic id="clicks" title="Clicks">
        <p>
          A click counts when someone follows the link to a project. Known crawlers, prefetches and
          previews do not count. For each project, we count up to {LIMITS.clicksPerVisitorHour}{" "}
          clicks an hour from one visitor and up to {HOLDER_DAY_CAPS.clicks}{" "}
          in 24 hours from one network or IPv6 /48.
        </p>
      </Topic>
      <Topic id="gems" title="Hidden gems">
        <p>
          Every day, the site picks up to three new, unpromoted projects with detailed pages and few
          votes, and says why. Gems are not for sale.
        </p>
      </Topic>
    </Page>
  );
});
