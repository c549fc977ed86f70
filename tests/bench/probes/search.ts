// `search.ts <KV file> <ours or minisearch>`: latencies (ms) of the same searches, each asked once.
import MiniSearch from "minisearch";
import { openCatalogue } from "../directory.ts";
import { print } from "./print.ts";

const QUERIES = 300;
const { catalogue } = await openCatalogue(Deno.args[0]!);
const documents: {
  id: number;
  name: string;
  labels: string;
  tagline: string;
  description: string;
}[] = [];
for (let offset = 0;; offset += 1000) {
  const { items } = catalogue.list({ sort: "new", limit: 1000, offset });
  documents.push(...items.map((l, i) => ({
    id: offset + i,
    name: l.name,
    labels: [...l.tags, ...l.builtWith, l.category].join(" "),
    tagline: l.tagline,
    description: l.description ?? "",
  })));
  if (items.length < 1000) break;
}

/** Words, beginnings of words, pairs of words and mistyped words, out of the texts themselves. */
function* queries(): Generator<string> {
  const seen = new Set<string>();
  for (let i = 0; seen.size < QUERIES; i++) {
    const { name, tagline } = documents[(i * 7919) % documents.length]!;
    const words = `${name} ${tagline}`.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    const word = words[i % Math.max(1, words.length)];
    const other = words[(i * 3 + 1) % Math.max(1, words.length)];
    if (word === undefined || other === undefined) continue;
    const q = [
      word,
      word.slice(0, 3 + i % 3),
      `${word} ${other.slice(0, 4)}`,
      word.slice(0, 2) + word.slice(3),
    ][i % 4]!;
    if (seen.has(q)) continue;
    seen.add(q);
    yield q;
  }
}

let find: (q: string) => unknown;
const start = performance.now();
if (Deno.args[1] === "minisearch") {
  catalogue.close();
  const index = new MiniSearch({ fields: ["name", "labels", "tagline", "description"] });
  index.addAll(documents);
  const boost = { name: 10, labels: 5, tagline: 4 };
  find = (q) =>
    index.search(q, { prefix: true, fuzzy: 0.2, combineWith: "AND", boost }).slice(0, 30);
} else {
  await catalogue.indexText();
  find = (q) => catalogue.list({ q, limit: 30 });
}
const build = performance.now() - start;
find("warm up");
const took = [...queries()].map((q) => {
  const begin = performance.now();
  find(q);
  return performance.now() - begin;
}).sort((a, b) => a - b);
const at = (part: number) => took[Math.floor(took.length * part)]!;
const mean = took.reduce((sum, ms) => sum + ms, 0) / took.length;
print({ build, p50: at(0.5), p99: at(0.99), mean });
