import { assert } from "@std/assert";
import { operations } from "@/lib/app/operations.ts";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { TOOLS } from "@/lib/mcp/tools/index.ts";
import { buildDocument } from "@/lib/openapi/document.ts";
import { testApp } from "../../support/app.ts";
import { kvWith } from "../../support/kv_with.ts";
import { submit } from "../../support/listings.ts";
import { callTool } from "../../support/mcp.ts";
import { AUCTION_ID, AUCTION_NOW } from "../../support/payments.ts";
import { share } from "../../support/skills.ts";

Deno.test("reads keep working while storage can't write, even past midnight", async () => {
  let takesWrites = true;
  const kv = kvWith(await Deno.openKv(":memory:"), {
    commit: (land) => takesWrites ? land() : Promise.reject(new Error("disk is full")),
  });
  await using app = await testApp({ kv, now: AUCTION_NOW });
  const { project: { slug }, editKey } = await submit(app);
  const { skill } = await share(app);
  const json = { agentName: "Keeper", maker: "Anthropic", catchphrase: "still here" };
  await app.json("/api/v1/guestbook", { json });
  const { paths } = buildDocument(operations, app.deps.env, app.deps.urls) as {
    paths: Record<string, { get?: unknown }>;
  };
  const reads = Object.keys(paths).filter((path) =>
    // The health check writes, to see whether that works.
    paths[path]!.get !== undefined && path !== "/api/v1/health"
  ).map((path) =>
    path.replace("{slug}", path.includes("/skills/") ? skill.slug : slug).replace(
      "{id}",
      AUCTION_ID,
    )
  );
  assert(reads.length > 20);
  const pages = ["/", `/p/${slug}`, "/ai-of-the-day", "/guestbook", "/poll", "/auctions"];
  // An agent reads a skill to install it, which is counted if storage can write.
  const tools: [string, Record<string, unknown>][] = [
    ...TOOLS.filter(({ annotations, name }) => annotations.readOnlyHint && name !== "get_project")
      .map(({ name }): [string, Record<string, unknown>] => [name, {}]),
    ["get_project", { slug }],
    ["get_skill", { slug: skill.slug }],
  ];
  takesWrites = false;
  for (const later of [0, DAY_MS, DAY_MS + HOUR_MS]) {
    app.clock.set(AUCTION_NOW + later);
    for (const path of [...reads, ...pages]) {
      const response = await app.request(path, { editKey });
      assert(response.status < 400, `${path} answers ${response.status}`);
    }
    for (const [name, args] of tools) {
      const { isError, content } = await callTool(app, name, args);
      assert(!isError, `${name} answers ${JSON.stringify(content)}`);
    }
  }
});
