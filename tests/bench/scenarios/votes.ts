import { copyOf } from "../directory.ts";
import { compare, drive, type DriveOptions, type Row, startOurs, startServer } from "../harness.ts";

const SIZE = 100_000;
/** Many short turns, so that anything that disturbs the machine affects both sides alike. */
const ROUNDS = 10;
const SECONDS = 0.7;

/**
 * Compares votes through the whole route with a bare server that commits one KV atomic operation
 * per request on a copy of the same data: the same requests from as many sockets, alternately.
 */
export async function* votes(): AsyncGenerator<Row> {
  await using ours = await startOurs(await copyOf(SIZE));
  await using raw = await startServer("tests/bench/peers/raw_kv.ts", [
    await copyOf(SIZE),
    String(SIZE),
  ]);
  for (const server of [ours, raw]) await drive(server, voting(SIZE));
  for (const [clients, atLeast] of [[64, 0.7], [1, 0.45]] as const) {
    const options = { ...voting(SIZE), connections: clients, seconds: SECONDS };
    yield await compare({
      what: clients === 1 ? "votes, 1 client" : `votes, ${clients} clients at once`,
      peer: "raw KV atomics",
      wanted: { atLeast },
      rounds: ROUNDS,
      ours: () => drive(ours, options),
      theirs: () => drive(raw, options),
    });
  }
}

/** Votes, each by a new voter on a random listing (of `listings`). */
export function voting(listings: number): DriveOptions {
  return {
    path: "",
    method: "POST",
    connections: 64,
    next: (request) => ({
      ...request,
      path: `/api/v1/projects/listing-${Math.floor(Math.random() * listings)}/vote`,
      headers: { "content-length": "0", "x-forwarded-for": newAddress() },
    }),
  };
}

/**
 * An address that no request has used before, so that each request is its own voter and network.
 */
function newAddress(): string {
  const bits = crypto.getRandomValues(new Uint16Array(4));
  return `2001:${[...bits].map((part) => part.toString(16)).join(":")}::1`;
}
