// Shows that a dump and the change log give the next dump.
//
//   deno run --allow-net docs/replay_dump.mjs https://example.org
//   node docs/replay_dump.mjs https://example.org
//
// It reads both files that the manifest names, checks their digests and numbers of lines, brings the
// older one up to date with what `/api/v1/changes` lists, and compares the records with the newer one.
import { createHash } from "node:crypto";
import process from "node:process";
import { gunzipSync } from "node:zlib";

/** Downloads a dump and checks it. Returns its records by type and slug. */
async function download({ url, counts, file, lines }) {
  const packed = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const text = gunzipSync(packed);
  for (const [bytes, said] of [[packed, file], [text, lines]]) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (bytes.length !== said.bytes || sha256 !== said.sha256) {
      throw new Error(`${url} is not what the manifest says`);
    }
  }
  const records = new Map();
  const found = Object.fromEntries(Object.keys(counts).map((type) => [type, 0]));
  for (const line of text.toString().split("\n").filter(Boolean)) {
    const { type, record } = JSON.parse(line);
    found[type]++;
    if (record) records.set(`${type} ${record.slug}`, record);
  }
  for (const [type, n] of Object.entries(counts)) {
    if (found[type] !== n) throw new Error(`${url} has ${found[type]} lines of type ${type}`);
  }
  return records;
}

/** All changes since a dump, the oldest first. */
async function* changesSince(dump) {
  const url = new URL(dump.changesUrl);
  for (;;) {
    const { changes, more, nextSince } = await (await fetch(url)).json();
    yield* changes;
    if (!more) return;
    url.searchParams.set("since", nextSince);
  }
}

/** True if two records agree in the fields of both: a field may be newer than a file. */
function isSame(a, b) {
  if (!a || !b) return a === b;
  return Object.keys(a).every((field) =>
    !(field in b) || JSON.stringify(a[field]) === JSON.stringify(b[field])
  );
}

/** Replays the changes since `before` and compares with `latest`. Returns what was found. */
export async function replay(site) {
  const manifest = await (await fetch(new URL("/data/manifest.json", site))).json();
  const { before, latest, fields } = manifest;
  if (!before) throw new Error("There is only one dump so far. The next one will be made tonight");
  const records = await download(before);
  const next = await download(latest);
  const changed = new Map();
  for await (const { kind, slug, url, at } of changesSince(before)) {
    changed.set(`${kind} ${slug}`, { kind, url, at });
  }
  const later = new Set();
  for (const [id, { kind, url, at }] of changed) {
    // The API shows it as it is now, and the newer dump is from before that.
    if (at >= latest.at) later.add(id);
    const answer = url === null ? null : await fetch(url);
    if (!answer?.ok) {
      records.delete(id);
      continue;
    }
    const body = await answer.json();
    const entry = kind === "listing" ? body.project : body.skill;
    records.set(id, Object.fromEntries(fields[kind].map((field) => [field, entry[field] ?? null])));
  }
  const differences = [...new Set([...records.keys(), ...next.keys()])].filter((id) =>
    !later.has(id) && !isSame(records.get(id), next.get(id))
  );
  return { records: next.size, changed: changed.size, later: later.size, differences };
}

if (import.meta.main ?? process.argv[1]?.endsWith("replay_dump.mjs")) {
  const found = await replay(process.argv[2]);
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  process.exitCode = found.differences.length > 0 ? 1 : 0;
}
