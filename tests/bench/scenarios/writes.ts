import { drive, inTurns, type Row, row, startOurs, startServer } from "../harness.ts";
import { seedDirectory } from "../seed.ts";

/** An address that no request had before, so that each is a voter and network of its own. */
export function newAddress(): string {
  const bits = crypto.getRandomValues(new Uint16Array(4));
  return `2001:${[...bits].map((part) => part.toString(16)).join(":")}::1`;
}

/** Durable writes through the whole route against a bare server that does one KV atomic per request. */
export async function writes(): Promise<Row[]> {
  const folder = await Deno.makeTempDir({ prefix: "projectory-bench-raw-" });
  await using ours = await startOurs(await seedDirectory(1_000));
  await using raw = await startServer("tests/bench/peers/raw_kv.ts", {
    args: [`${folder}/kv.sqlite3`],
  });
  const rawLoad = () => drive(raw, { path: "/", method: "POST" });
  const vote = (slug: () => string) => () =>
    drive(ours, {
      path: "/api/v1/projects/listing-1/vote",
      method: "POST",
      connections: 64,
      next: (request) => ({
        ...request,
        path: `/api/v1/projects/${slug()}/vote`,
        headers: { ...request.headers, "x-forwarded-for": newAddress() },
      }),
    });
  const spread = vote(() => `listing-${Math.floor(Math.random() * 1_000)}`);
  const one = vote(() => "listing-1");
  let serial = 0;
  const submission = () =>
    drive(ours, {
      path: "/api/v1/projects",
      method: "POST",
      next: (request) => ({
        ...request,
        headers: { "content-type": "application/json", "x-forwarded-for": newAddress() },
        body: JSON.stringify({
          name: `Bench ${serial}`,
          url: `https://bench-${serial++}.example.com`,
          tagline: "Measured",
        }),
      }),
    });
  const peer = "raw KV, one atomic per request";
  return [
    row("vote, over 1,000 listings", peer, await inTurns(3, spread, rawLoad, (l) => l.rate), {
      need: { atLeast: 0.75 },
    }),
    row(
      "vote, 64 at once on one listing",
      "over 1,000 listings",
      await inTurns(3, one, spread, (l) => l.rate),
      {
        need: { atLeast: 0.9 },
      },
    ),
    row("submission", peer, await inTurns(3, submission, rawLoad, (l) => l.rate)),
  ];
}
