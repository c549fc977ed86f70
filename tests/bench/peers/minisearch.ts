// MiniSearch with prefixes and fuzzy words over the same texts, with weighted fields: `GET /?q=`
// responds with the slugs of the best 30. `minisearch.ts <our server>`
import MiniSearch from "minisearch";
import { allListings } from "./listings.ts";

const index = new MiniSearch({
  idField: "slug",
  fields: ["name", "labels", "tagline", "description"],
});
const seen = new Set<string>();
for await (const l of allListings(Deno.args[0]!)) {
  // The hot order may change while it is read.
  if (seen.has(l.slug)) continue;
  seen.add(l.slug);
  index.add({ ...l, labels: [...l.tags, ...l.builtWith, l.category].join(" ") });
}
const options = {
  prefix: true,
  fuzzy: 0.2,
  combineWith: "AND",
  boost: { name: 10, labels: 5, tagline: 4 },
} as const;

Deno.serve({ port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen() {} }, (req) => {
  const q = new URL(req.url).searchParams.get("q") ?? "ready";
  return Response.json(index.search(q, options).slice(0, 30).map(({ id }) => id));
});
