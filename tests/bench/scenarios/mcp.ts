import { drive, inTurns, type Row, row, startOurs, startServer } from "../harness.ts";
import { seedDirectory } from "../seed.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};

/** MCP against the same tools served by the SDK in its plain way, with schemas built in each request. */
export async function mcp(): Promise<Row[]> {
  const rows: Row[] = [];
  await using ours = await startOurs(await seedDirectory(1_000));
  await using plain = await startServer("tests/bench/peers/plain_mcp.ts", {
    env: { KV_PATH: await seedDirectory(1_000) },
    ready: "/api/mcp",
  });
  const get = tool("get_project", { slug: "listing-7" });
  const cases: [Revision, string, string, Record<string, unknown>, number][] = [
    ["2026-07-28", "tools/list", "tools/list", {}, 20],
    ["2026-07-28", "tools/call get_project", "tools/call", get, 8],
    [
      "2026-07-28",
      "tools/call search_projects",
      "tools/call",
      tool("search_projects", { limit: 5 }),
      8,
    ],
    ["2025-11-25", "tools/list, 2025-11-25", "tools/list", {}, 20],
    ["2025-11-25", "tools/call get_project, 2025-11-25", "tools/call", get, 8],
  ];
  for (const [revision, scenario, method, params, atLeast] of cases) {
    const load = request(revision, method, params);
    const rates = await inTurns(
      3,
      () => drive(ours, load),
      () => drive(plain, load),
      (l) => l.rate,
    );
    rows.push(row(scenario, "the SDK, plain", rates, { need: { atLeast } }));
  }
  return rows;
}

type Revision = "2026-07-28" | "2025-11-25";

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

function tool(name: string, args: Record<string, unknown>): Record<string, unknown> {
  return { name, arguments: args };
}
