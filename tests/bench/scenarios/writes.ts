import { copyOf } from "../directory.ts";
import {
  drive,
  type DriveOptions,
  inTurns,
  rateRow,
  type Row,
  type Server,
  startOurs,
  startServer,
} from "../harness.ts";

/** Sockets of both sides, each with one request under way. */
const AT_ONCE = 64;
/** Short turns, and many of them: what disturbs the machine meets both sides alike. */
const ROUNDS = 12;
const SECONDS = 0.7;

/** An address that no request had before, so that each is a voter and network of its own. */
export function newAddress(): string {
  const bits = crypto.getRandomValues(new Uint16Array(4));
  return `2001:${[...bits].map((part) => part.toString(16)).join(":")}::1`;
}

/**
 * Durable writes through the whole route, at three sizes, against a bare server that does one KV atomic per
 * request, in a file of its own and over the same data: the same requests from as many sockets, in turns.
 */
export async function* writes(): AsyncGenerator<Row> {
  const folder = await Deno.makeTempDir({ prefix: "projectory-bench-raw-" });
  await using raw = await startRaw(`${folder}/kv.sqlite3`);
  const peer = "raw KV, in an empty file";
  for (const size of [1_000, 10_000, 100_000]) {
    await using ours = await startOurs(await copyOf(size, `${folder}/${size}.sqlite3`));
    const over = `${size.toLocaleString("en")} listings`;
    const spread = voting(() => `listing-${Math.floor(Math.random() * size)}`);
    const vote = (server: Server) => () => drive(server, spread);
    const need = { atLeast: 0.75 };
    yield rateRow(`vote, over ${over}`, peer, await inTurns(ROUNDS, vote(ours), vote(raw)), need);
    {
      await using rawOver = await startRaw(
        await copyOf(size, `${folder}/raw-${size}.sqlite3`),
        size,
      );
      const loads = await inTurns(ROUNDS, vote(ours), vote(rawOver));
      yield rateRow(`vote, over ${over}`, "raw KV, over the same data", loads, need);
    }
    if (size === 1_000) {
      const one = voting(() => "listing-1");
      const loads = await inTurns(ROUNDS, () => drive(ours, one), vote(ours));
      yield rateRow("vote, 64 at once on one listing", `over ${over}`, loads, { atLeast: 0.9 });
    }
    const submit = (server: Server) => () => drive(server, submitting());
    const loads = await inTurns(ROUNDS, submit(ours), submit(raw));
    yield rateRow(`submission, to ${over}`, peer, loads);
  }
}

/** A bare server that does one KV atomic per request in a file, or votes on the listings that it holds. */
function startRaw(file: string, listings?: number): Promise<Server> {
  const args = listings === undefined ? [file] : [file, String(listings)];
  return startServer("tests/bench/peers/raw_kv.ts", { args });
}

/** Votes of ever new voters. */
function voting(slug: () => string): DriveOptions {
  return {
    path: "",
    method: "POST",
    connections: AT_ONCE,
    seconds: SECONDS,
    next: (request) => ({
      ...request,
      path: `/api/v1/projects/${slug()}/vote`,
      headers: { "content-length": "0", "x-forwarded-for": newAddress() },
    }),
  };
}

let serial = 0;

/** Submissions of ever new projects from ever new networks. */
function submitting(): DriveOptions {
  return {
    path: "/api/v1/projects",
    method: "POST",
    connections: AT_ONCE,
    seconds: SECONDS,
    next: (request) => ({
      ...request,
      headers: { "content-type": "application/json", "x-forwarded-for": newAddress() },
      body: JSON.stringify({
        name: `Bench ${serial}`,
        url: `https://bench-${serial++}.example.com`,
        tagline: "Measured",
      }),
    }),
  };
}
