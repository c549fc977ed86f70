import { createDeps } from "@/lib/app/deps.ts";
import { parseEnv } from "@/lib/env.ts";
import { Caller } from "@/lib/http/caller.ts";
import { createMcpEndpoint } from "@/lib/mcp/server.ts";
import { drive, inTurns, rateRow, type Row, row, startOurs, startServer } from "../harness.ts";
import { plainMcp } from "../peers/plain_mcp.ts";
import { seedDirectory } from "../seed.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};
const PEER = "the SDK, plain";
/** Slices of the measurement in one process: each server for some ms, in turns. */
const SLICES = 40;
const SLICE_MS = 50;

type Revision = "2026-07-28" | "2025-11-25";
type Answer = (req: Request) => Promise<Response>;

const get = { name: "get_project", arguments: { slug: "listing-7" } };
const search = { name: "search_projects", arguments: { limit: 5 } };
const CASES: [
  name: string,
  revision: Revision,
  params: Record<string, unknown>,
  atLeast: number,
][] = [
  ["tools/list", "2026-07-28", {}, 20],
  ["tools/list", "2025-11-25", {}, 20],
  ["tools/call", "2026-07-28", get, 8],
  ["tools/call", "2026-07-28", search, 8],
  ["tools/call", "2025-11-25", get, 8],
];

/**
 * MCP against the same tools served by the SDK in its plain way, with schemas built in each request: handlers in
 * one process, so that neither sockets nor neighbours blur the ratio, and then two of the cases over HTTP.
 */
export async function mcp(): Promise<Row[]> {
  return [...await inProcess(), ...await overHttp()];
}

async function inProcess(): Promise<Row[]> {
  const kvPath = await seedDirectory(1_000);
  const env = parseEnv({ KV_PATH: kvPath, LOG_LEVEL: "silent" });
  const deps = createDeps(env, { kv: await Deno.openKv(kvPath), salt: "bench" });
  await deps.sync.load();
  const endpoint = createMcpEndpoint(deps);
  const { identity } = deps;
  const ours: Answer = (req) =>
    endpoint.answer(
      req,
      new Caller({ peer: "127.0.0.1", headers: req.headers, identity, trustedProxies: 0 }),
    );
  const plain = plainMcp(deps);
  const rows: Row[] = [];
  for (const [method, revision, params, atLeast] of CASES) {
    const { path, ...init } = request(revision, method, params);
    const make = () => new Request(env.baseUrl + path, init);
    const rates: [number[], number[]] = [[], []];
    for (let slice = 0; slice < SLICES; slice++) {
      rates[0].push(await rateOf(ours, make));
      rates[1].push(await rateOf(plain, make));
    }
    const name = [method, params.name, revision].filter(Boolean).join(" ");
    // The best slice of each: what another lacks was taken by neighbours, or by collecting the peer's garbage.
    rows.push(
      row(name, PEER, [Math.max(...rates[0]), Math.max(...rates[1])], { need: { atLeast } }),
    );
  }
  deps.store.close();
  return rows;
}

/** Answers a second, over a slice of time. */
async function rateOf(answer: Answer, make: () => Request): Promise<number> {
  const start = performance.now();
  let count = 0;
  do {
    await (await answer(make())).text();
    count++;
  } while (performance.now() - start < SLICE_MS);
  return count * 1000 / (performance.now() - start);
}

async function overHttp(): Promise<Row[]> {
  await using ours = await startOurs(await seedDirectory(1_000));
  await using plain = await startServer("tests/bench/peers/plain_mcp.ts", {
    env: { KV_PATH: await seedDirectory(1_000) },
    ready: "/api/mcp",
  });
  const rows: Row[] = [];
  for (const [method, params] of [["tools/list", {}], ["tools/call", get]] as const) {
    const load = request("2026-07-28", method, params);
    const loads = await inTurns(3, () => drive(ours, load), () => drive(plain, load));
    rows.push(rateRow(`${method} over HTTP`, PEER, loads));
  }
  return rows;
}

/** A request as a client of a revision sends it. */
function request(revision: Revision, method: string, params: Record<string, unknown>) {
  const isModern = revision === "2026-07-28";
  const name: Record<string, string> = "name" in params ? { "mcp-name": String(params.name) } : {};
  const modern: Record<string, string> = isModern ? { "mcp-method": method, ...name } : {};
  const sent = isModern ? { ...params, _meta: META } : params;
  return {
    path: "/api/mcp",
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      ...modern,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: sent }),
  } as const;
}
