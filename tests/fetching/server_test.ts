import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createFetcher, type Fetcher } from "@/lib/fetching/fetcher.ts";
import { Pace } from "@/lib/fetching/pace.ts";
import { fetcherHandler } from "@/lib/fetching/server.ts";
import { createLog } from "@/lib/log.ts";
import { createUrls } from "@/lib/urls.ts";
import { testApp } from "../support/app.ts";
import { freePort } from "../support/free_port.ts";
import { until } from "../support/until.ts";
import { WebDouble } from "./web_double.ts";

const root = new URL("../../", import.meta.url);
const urls = createUrls("https://projectory.test");
const log = createLog("silent");

const ask = (body: unknown) =>
  new Request("http://127.0.0.1/", { method: "POST", body: JSON.stringify(body) });

Deno.test("the fetcher serves the site, and identifies it to the hosts it fetches", async () => {
  await using web = new WebDouble();
  web.serve("example.test", () => new Response("hello"));
  web.txt["example.test"] = [["proof"]];
  // A host gets one request a second.
  const handler = fetcherHandler(web.net, new Pace(() => 0));
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  const fetcher = createFetcher({ fetcherPort: server.addr.port, siteSlug: "projectory" }, {
    urls,
    log,
  })!;
  const fetched = await fetcher.get("http://example.test/");
  assertEquals(fetched.ok && fetched.body, "hello");
  assertEquals(
    web.requests[0]!.headers.get("user-agent"),
    "projectory-fetcher/1 (+https://projectory.test/help#fetcher)",
  );
  assertEquals(await fetcher.txt("example.test"), { ok: true, records: ["proof"] });
  assertEquals(await fetcher.get("http://127.0.0.1/"), { ok: false, problem: "private_address" });
  await server.shutdown();
});

Deno.test("the fetcher rejects requests that the site never sends", async () => {
  await using web = new WebDouble();
  const handler = fetcherHandler(web.net);
  for (
    const body of [null, {}, { kind: "get" }, { kind: "post", url: "http://example.test/" }, "x"]
  ) {
    assertEquals((await handler(ask(body))).status, 400, JSON.stringify(body));
  }
  const broken = new Request("http://127.0.0.1/", { method: "POST", body: "{" });
  assertEquals((await handler(broken)).status, 400);
  assertEquals((await handler(new Request("http://127.0.0.1/"))).status, 400);
});

Deno.test("a host gets one request a second, and none that would wait more than ten seconds", () => {
  let now = 5_000;
  const pace = new Pace(() => now);
  assertEquals([pace.turn("a"), pace.turn("a"), pace.turn("b")], [0, 1_000, 0]);
  now += 1_500;
  assertEquals(pace.turn("a"), 500);
  const waits = Array.from({ length: 12 }, () => pace.turn("c"));
  assertEquals(
    waits,
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((s) => s * 1_000).concat(null as never),
  );
  for (let i = 0; i < 5_000; i++) assertEquals(pace.turn(`host ${i}`), 0);
});

Deno.test("more than fifty concurrent requests are rejected as busy", async () => {
  await using web = new WebDouble();
  const { promise, resolve } = Promise.withResolvers<string[]>();
  web.net.addressesOf = () => promise;
  const handler = fetcherHandler(web.net);
  const asked = Array.from({ length: 51 }, async (_, i) => {
    const response = await handler(ask({ kind: "get", url: `http://h${i}.test/`, userAgent: "x" }));
    return (await response.json()).problem;
  });
  assertEquals(await asked[50], "busy");
  resolve([]);
  assertEquals(new Set(await Promise.all(asked.slice(0, 50))), new Set(["no_address"]));
});

Deno.test("the fetcher process has network access only, and refuses to fetch from this machine", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const [program, ...args] = tasks.fetcher.command.split(" ") as string[];
  assertEquals(program, "deno");
  assertEquals(args.filter((arg) => arg.startsWith("--allow")), [
    "--allow-net",
    "--allow-env=FETCHER_PORT",
  ]);
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: { FETCHER_PORT: String(port), NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const inside = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    throw new Error("reached");
  });
  try {
    const fetcher = createFetcher({ fetcherPort: port, siteSlug: "projectory" }, { urls, log })!;
    let fetched: Awaited<ReturnType<Fetcher["get"]>> | undefined;
    await until("the fetcher answers", async () => {
      fetched = await fetcher.get("http://localhost/").catch(() => undefined);
      return fetched !== undefined;
    });
    assertEquals(fetched, { ok: false, problem: "private_address" });
  } finally {
    child.kill("SIGTERM");
    const { code, stderr } = await child.output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    await inside.shutdown();
  }
});

Deno.test("the fetcher exits with one clear line if its port is in use or invalid", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  for (
    const [port, said] of [
      [String(taken.addr.port), /^Bad setting: FETCHER_PORT \d+ cannot be bound: .+\n$/],
      [
        "none",
        /^Bad setting: FETCHER_PORT must be a port, the same one as in the site's settings\n$/,
      ],
    ] as const
  ) {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--allow-net", "--allow-env", "fetcher.ts"],
      cwd: root,
      env: { FETCHER_PORT: port, NO_COLOR: "1" },
    }).output();
    assertEquals(code, 1);
    assertMatch(new TextDecoder().decode(stderr), said);
  }
});

Deno.test("a fetcher outage is logged once and reported by health, until it recovers", async () => {
  const port = freePort();
  const lines: string[] = [];
  const note = (event: string) => lines.push(event);
  const fetcher = createFetcher({ fetcherPort: port, siteSlug: "projectory" }, {
    urls,
    log: { debug: note, info: note, warn: note, error: note },
  })!;
  await using app = await testApp({ fetcher });
  const problems = async () => {
    app.clock.advance(10_000);
    return (await app.json("/api/v1/health")).body.problems;
  };
  assertEquals(await problems(), []);
  for (let i = 0; i < 3; i++) await assertRejects(() => fetcher.get("file:///x"));
  assertEquals(await problems(), [
    "Nothing is responding on FETCHER_PORT, so nothing is fetched",
  ]);
  await using web = new WebDouble();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen: () => {} },
    fetcherHandler(web.net),
  );
  assertEquals(await fetcher.get("file:///x"), { ok: false, problem: "bad_url" });
  assertEquals(await problems(), []);
  assertEquals(lines, ["fetcher_away", "fetcher_back"]);
  await server.shutdown();
});
