/**
 * A KV server in memory that speaks KV Connect (version 3), as far as this service uses it: reading ranges and
 * atomic writes. Written from the published protocol (denoland/denokv, proto/kv-connect.md). Deno's own client
 * is what talks to it, so what passes here is what passes between servers and a `denokv`.
 */
import { Reader, Writer } from "./protobuf.ts";

/**
 * The token of each of these servers. Deno reads it from the environment, which all tests of a process
 * share, so none of them may set another one or delete it.
 */
export const TOKEN = "a token for tests";

interface Stored {
  value: Uint8Array;
  encoding: number;
  versionstamp: Uint8Array;
  expiresAt: number;
}

/** Types of mutations, and encodings of values, by their numbers in the protocol. */
const SET = 1;
const DELETE = 2;
const SUM = 3;
const LE64 = 2;

/** A running KV server. */
export interface KvServer extends AsyncDisposable {
  url: string;
  token: string;
  /** Requests answered so far, by their last path part. */
  requests: Map<string, number>;
  /** What happens to the next atomic writes: applied but answered 503, or refused with it. */
  faults: ("after" | "before")[];
}

/** Starts a KV server on a free port of the loopback address; after `reads` it refuses further ones, if given. */
export function startKvServer({ reads = Infinity } = {}): KvServer {
  const entries = new Map<string, Stored>();
  const requests = new Map<string, number>();
  const faults: KvServer["faults"] = [];
  let version = 0n;

  const live = (key: string): Stored | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.expiresAt === 0 || entry.expiresAt > Date.now()) return entry;
    entries.delete(key);
  };

  function read(body: Uint8Array): Uint8Array {
    const output = new Writer();
    for (const range of new Reader(body).messages(1)) {
      const start = range.bytes(1).toHex();
      const end = range.bytes(2).toHex();
      const keys = [...entries.keys()].filter((key) => key >= start && key < end && live(key))
        .sort();
      if (range.number(4) === 1) keys.reverse();
      const found = new Writer();
      for (const key of keys.slice(0, range.number(3))) {
        const entry = entries.get(key)!;
        found.message(
          1,
          new Writer().bytes(1, Uint8Array.fromHex(key)).bytes(2, entry.value)
            .number(3, entry.encoding).bytes(4, entry.versionstamp),
        );
      }
      output.message(1, found);
    }
    return output.number(4, 1).number(8, 1).finish();
  }

  /** One synchronous step: nothing comes between checks and writes. */
  function write(body: Uint8Array): Uint8Array {
    const request = new Reader(body);
    const failed = request.messages(1).some((check) => {
      const expected = check.bytes(2).toHex();
      return (live(check.bytes(1).toHex())?.versionstamp.toHex() ?? "") !== expected;
    });
    if (failed) return new Writer().number(1, 2).finish();
    const versionstamp = Uint8Array.fromHex((++version).toString(16).padStart(16, "0") + "0000");
    for (const mutation of request.messages(2)) {
      const key = mutation.bytes(1).toHex();
      const type = mutation.number(3);
      if (type === DELETE) {
        entries.delete(key);
        continue;
      }
      const given = mutation.message(2)!;
      const value = given.bytes(1);
      if (type === SUM) {
        const before = live(key);
        if (before !== undefined && before.encoding !== LE64) throw new Error("not a u64");
        const sum = toNumber(before?.value) + toNumber(value);
        entries.set(key, { value: fromNumber(sum), encoding: LE64, versionstamp, expiresAt: 0 });
      } else if (type === SET) {
        const expiresAt = mutation.number(4);
        entries.set(key, { value, encoding: given.number(2), versionstamp, expiresAt });
      } else throw new Error(`mutation ${type} is not used here`);
    }
    return new Writer().number(1, 1).bytes(2, versionstamp).finish();
  }

  const serving = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server: Deno.HttpServer<Deno.NetAddr> = Deno.serve(serving, async (req) => {
    const path = new URL(req.url).pathname;
    const name = path.split("/").at(-1)!;
    requests.set(name, (requests.get(name) ?? 0) + 1);
    const isRefused = name === "snapshot_read" && requests.get(name)! > reads;
    if (isRefused || req.headers.get("authorization") !== `Bearer ${TOKEN}`) {
      return new Response(null, { status: 401 });
    }
    const body = new Uint8Array(await req.arrayBuffer());
    if (name === "snapshot_read") return answer(read(body));
    if (name === "atomic_write") {
      const fault = faults.shift();
      if (fault === "before") return new Response("busy", { status: 503 });
      const result = write(body);
      if (fault === "after") return new Response("lost", { status: 503 });
      return answer(result);
    }
    return Response.json({
      version: 3,
      databaseId: "11111111-1111-4111-8111-111111111111",
      endpoints: [{ url: `http://127.0.0.1:${server.addr.port}/v3`, consistency: "strong" }],
      token: TOKEN,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    token: TOKEN,
    requests,
    faults,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function answer(body: Uint8Array): Response {
  return new Response(body as Uint8Array<ArrayBuffer>, {
    headers: { "content-type": "application/x-protobuf" },
  });
}

function toNumber(bytes: Uint8Array | undefined): bigint {
  if (bytes === undefined) return 0n;
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
}

function fromNumber(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return bytes;
}
