import { page } from "fresh";
import { define } from "@/lib/define.ts";
import { ListingQuery } from "@/lib/discovery/query.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    const query = parseQuery(ListingQuery, ctx.url);
    return page({ list: deps.catalogue.list(query) });
  },
});

export default define.page<typeof handler>(function Home({ data }) {
  return (
    <main>
      <h1>Projects by people and agents</h1>
      <ol>
        {data.list.items.map((listing) => (
          <li key={listing.slug}>
            <a href={paths.listing(listing.slug)} dir="auto">{listing.name}</a>
            <p dir="auto">{listing.tagline}</p>
            <form method="post" action={paths.listingVote(listing.slug)}>
              <button type="submit">▲ {listing.votes}</button>
            </form>
          </li>
        ))}
      </ol>
    </main>
  );
});
