import { assertEquals } from "@std/assert";
import { testApp } from "../support/app.ts";

Deno.test("tmp", async () => {
  await using app = await testApp();
  const r = await app.request("/api/mcp", { method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }) });
  console.log(r.status, [...r.headers], (await r.text()).slice(0, 10000));
  const r2 = await app.request("/api/mcp", { method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: {name: "submit_project", arguments: {name: "A", url: "https://a.example.com", tagline: "t", x: 1}} }) });
  console.log(r2.status, (await r2.text()).slice(0, 3000));
  for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) { const r = await app.request("/api/mcp", {method}); console.log(method, r.status, r.headers.get("allow"), await r.text()); }
});
