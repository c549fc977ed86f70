import { PromotedLabel } from "@/components/PromotedLabel.tsx";
import { Prose } from "@/components/Prose.tsx";
import { Table } from "@/components/Table.tsx";
import { define } from "@/lib/app/define.ts";
import { LIMITS, RATE_LIMITS } from "@/lib/limits.ts";
import { formatCount } from "@/lib/text/count.ts";
import { paths, withQuery } from "@/lib/urls.ts";

export default define.page(function Ranking({ state }) {
  const { catalogue } = state.deps;
  const { rows } = catalogue.select({ sort: "hot", limit: 5 });
  return (
    <Prose
      deps={state.deps}
      title="How ranking works"
      description="The formula of the hot list, and what cannot change it."
      path={paths.ranking}
      json={`${paths.api}/ranking`}
      lead="One formula, the same for everyone, open to check."
    >
      <h2>Hot</h2>
      <p class="formula">
        (votes + visits × 0.1 + 1) ÷ (age in hours + 2)<sup>1.5</sup>
      </p>
      <p>
        A vote weighs ten visits, and age wins in the end. New starts by the time of listing, Top by
        votes alone. Best match, in a search, goes by the words alone: those in the name weigh most,
        then those in tags and address, tagline and description, and rare words more than common
        ones. Paid placement changes none of them.
      </p>
      {rows.length > 0 && (
        <Table
          label="The first five now"
          caption="The first five now"
          columns={["Project", { num: "Votes" }, { num: "Visits" }, { num: "Age, hours" }, {
            num: "Score",
          }]}
        >
          {rows.map((row) => {
            const { votes, clicks, ageHours, score } = catalogue.scoreOf(row);
            const { slug } = row;
            const listing = catalogue.toPublic(row);
            return (
              <tr key={slug}>
                <th scope="row">
                  <a href={paths.listing(slug)} dir="auto">{listing.name}</a>{" "}
                  <PromotedLabel listing={listing} />
                </th>
                <td class="num">{formatCount(votes)}</td>
                <td class="num">{formatCount(clicks)}</td>
                <td class="num">{ageHours.toFixed(1)}</td>
                <td class="num">{score.toFixed(4)}</td>
              </tr>
            );
          })}
        </Table>
      )}
      <p>
        A list of projects shows the parts of each score with{" "}
        <a href={withQuery(paths.apiListings, { explain: "1" })}>
          <code>?explain=1</code>
        </a>, where visits are <code>clicks</code>.
      </p>
      <h2>Votes</h2>
      <ul>
        <li>One vote per voter and project; it can be taken back.</li>
        <li>
          A voter is a salted hash of network and browser. At most {LIMITS.votersPerNetworkDay}{" "}
          voters of one network, {LIMITS.votersPerWiderNetworkDay}{" "}
          of an IPv6 /48, count on one project a day, and {RATE_LIMITS.votes}{" "}
          vote actions of one network an hour.
        </li>
        <li>Every vote is worth the same. None is seeded.</li>
      </ul>
      <h2>Visits</h2>
      <p>
        A visit counts when someone follows the link of an entry: not for known crawlers, prefetches
        or previews, and at most {LIMITS.clicksPerVisitorHour}{" "}
        times per visitor, project and hour, and {LIMITS.clicksPerNetworkHour}{" "}
        per network or IPv6 /48.
      </p>
      <h2>Hidden gems</h2>
      <p>
        A daily scout picks up to three young, complete, unpromoted projects with few votes and says
        why. A gem cannot be bought.
      </p>
    </Prose>
  );
});
