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
  const cases: [string, string, Record<string, unknown>, number | undefined][] = [
    ["tools/list", "tools/list", {}, 20],
    ["tools/call get_project", "tools/call", tool("get_project", { slug: "listing-7" }), 8],
    ["tools/call search_projects", "tools/call", tool("search_projects", { limit: 5 }), 8],
  ];
  for (const [scenario, method, params, atLeast] of cases) {
    const load = {
      path: "/api/mcp",
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...("name" in params ? { "mcp-name": String(params.name) } : {}),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
    } as const;
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

function tool(name: string, args: Record<string, unknown>): Record<string, unknown> {
  return { name, arguments: args };
}
