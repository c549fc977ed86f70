/**
 * A KV server for the parts of KV Connect (version 3) that this service uses: range reads and
 * atomic writes, on the SQLite file of an embedded database or in memory. Written from the
 * published protocol (denoland/denokv, proto/kv-connect.md). Its client is Deno's own, so it
 * behaves here as between servers and a `denokv`.
 */
import { DatabaseSync } from "node:sqlite";
import { SERVER_CHECKS_MAX } from "@/lib/kv/group_commit.ts";
import { Reader, Writer } from "./protobuf.ts";

/**
 * The token of each of these servers. Deno reads it from the environment, which all tests in a
 * process share, so none of them may set another one or delete it.
 */
export const TOKEN = "a token for tests";

/** A row in the table of Deno's embedded database. */
interface Stored {
  k: Uint8Array;
  v: Uint8Array;
  v_encoding: number;
  version: number;
}

/** Mutation types and value encodings, by their numbers in the protocol. */
const SET = 1;
const DELETE = 2;
const SUM = 3;
const LE64 = 2;

/** A write over the limits of `denokv`. */
class Refused extends Error {}

/** A running KV server. */
export interface KvServer extends AsyncDisposable {
  url: string;
  token: string;
  /** Requests handled so far, by the last part of their path. */
  requests: Map<string, number>;
  /** What happens to the next atomic writes: applied but answered with 503, or rejected with it. */
  faults: ("after" | "before")[];
}

/** What a KV server serves. */
interface KvServerOptions {
  /** The file of an embedded database; without it, an empty in-memory database. */
  file?: string;
  /** After this many reads it refuses more. */
  reads?: number;
}

/** Starts a KV server on a free loopback port. */
export function startKvServer({ file, reads = Infinity }: KvServerOptions = {}): KvServer {
  const db = openDatabase(file);
  const live = "(expiration_ms < 0 OR expiration_ms > ?)";
  const one = db.prepare(`SELECT * FROM kv WHERE k = ? AND ${live}`);
  const [forward, backward] = ["ASC", "DESC"].map((order) =>
    db.prepare(`SELECT * FROM kv WHERE k >= ? AND k < ? AND ${live} ORDER BY k ${order} LIMIT ?`)
  ) as [ReturnType<typeof db.prepare>, ReturnType<typeof db.prepare>];
  const set = db.prepare(
    "INSERT OR REPLACE INTO kv (k, v, v_encoding, version, expiration_ms) VALUES (?, ?, ?, ?, ?)",
  );
  const remove = db.prepare("DELETE FROM kv WHERE k = ?");
  const nextVersion = db.prepare("UPDATE data_version SET version = version + 1 RETURNING version");
  const requests = new Map<string, number>();
  const faults: KvServer["faults"] = [];

  const get = (key: Uint8Array) => one.get(key, Date.now()) as unknown as Stored | undefined;

  function read(body: Uint8Array): Uint8Array {
    const output = new Writer();
    for (const range of new Reader(body).messages(1)) {
      const statement = range.number(4) === 1 ? backward : forward;
      const rows = statement.all(range.bytes(1), range.bytes(2), Date.now(), range.number(3));
      const found = new Writer();
      for (const { k, v, v_encoding, version } of rows as unknown as Stored[]) {
        const entry = new Writer().bytes(1, k).bytes(2, v).number(3, v_encoding)
          .bytes(4, versionstamp(version));
        found.message(1, entry);
      }
      output.message(1, found);
    }
    return output.number(4, 1).number(8, 1).finish();
  }

  /** One synchronous step: nothing runs between checks and writes. */
  function write(body: Uint8Array): Uint8Array {
    const request = new Reader(body);
    const checks = request.messages(1);
    if (checks.length > SERVER_CHECKS_MAX) throw new Refused("Too many checks");
    const failed = checks.some((check) => {
      const entry = get(check.bytes(1));
      const stamp = entry === undefined ? "" : versionstamp(entry.version).toHex();
      return stamp !== check.bytes(2).toHex();
    });
    if (failed) return new Writer().number(1, 2).finish();
    db.exec("BEGIN");
    const { version } = nextVersion.get() as { version: number };
    for (const mutation of request.messages(2)) {
      const key = mutation.bytes(1);
      const type = mutation.number(3);
      if (type === DELETE) {
        remove.run(key);
        continue;
      }
      const given = mutation.message(2)!;
      const value = given.bytes(1);
      if (type === SUM) {
        const before = get(key);
        if (before !== undefined && before.v_encoding !== LE64) throw new Error("not a u64");
        const sum = toNumber(before?.v) + toNumber(value);
        set.run(key, fromNumber(sum), LE64, version, -1);
      } else if (type === SET) {
        const expiresAt = mutation.number(4);
        set.run(key, value, given.number(2), version, expiresAt === 0 ? -1 : expiresAt);
      } else throw new Error(`mutation ${type} is not used here`);
    }
    db.exec("COMMIT");
    return new Writer().number(1, 1).bytes(2, versionstamp(version)).finish();
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
      let result: Uint8Array;
      try {
        result = write(body);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return new Response(error.message, { status: 400 });
      }
      if (fault === "after") return new Response("lost", { status: 503 });
      return answer(result);
    }
    return Response.json({
      version: 3,
      databaseId: "11111111-1111-4111-8111-111111111111",
      // Relative, so that it works behind a proxy unchanged.
      endpoints: [{ url: "/v3", consistency: "strong" }],
      token: TOKEN,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    token: TOKEN,
    requests,
    faults,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      db.close();
    },
  };
}

/** Opens the file of an embedded database, or creates the tables used here in memory. */
function openDatabase(file?: string): DatabaseSync {
  const db = new DatabaseSync(file ?? ":memory:");
  if (file === undefined) {
    db.exec(`
      CREATE TABLE data_version (k INTEGER PRIMARY KEY, version INTEGER NOT NULL);
      INSERT INTO data_version VALUES (0, 0);
      CREATE TABLE kv (
        k BLOB PRIMARY KEY, v BLOB NOT NULL, v_encoding INTEGER NOT NULL, version INTEGER NOT NULL,
        expiration_ms INTEGER NOT NULL DEFAULT -1
      ) WITHOUT ROWID;
    `);
  }
  return db;
}

function versionstamp(version: number): Uint8Array {
  return Uint8Array.fromHex(version.toString(16).padStart(16, "0") + "0000");
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
