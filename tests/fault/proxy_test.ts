import { assert, assertEquals, assertMatch } from "@std/assert";
import { request } from "node:http";
import { createConnection, type Socket } from "node:net";
import { delay } from "@/lib/clock.ts";
import { seedDirectory } from "../bench/seed.ts";
import { inFolder } from "../support/folder.ts";
import { freePort } from "../support/free_port.ts";
import { PROXIES, type Proxy } from "../support/proxies.ts";
import { rounds } from "../support/runs.ts";
import { removeBuild, type ServerProcess, startServer } from "../support/server.ts";

const SLOW = 500;
/** Ordinary requests per second, and their latency limit next to slow connections (ms, p99). */
const RATE = 50;
const P99_MAX = rounds(1_000, 250);

async function behindProxy(
  name: string,
  run: (proxy: Proxy, server: ServerProcess) => Promise<void>,
): Promise<void> {
  const kvPath = await seedDirectory(200);
  const folder = kvPath.slice(0, kvPath.lastIndexOf("/"));
  try {
    await using server = await startServer({ folder, env: { TRUSTED_PROXIES: "1" } });
    await using proxy = await PROXIES[name]!({ folder, upstreams: [server.base] });
    await run(proxy, server);
  } finally {
    await Deno.remove(folder, { recursive: true });
    await removeBuild();
  }
}

/**
 * A client that sends a header or a body one byte at a time, or reads that slowly; from one of ten
 * addresses.
 */
function slowClient(port: number, i: number): Socket {
  const localAddress = `127.0.${1 + Math.floor(i / 50)}.1`;
  const socket = createConnection({ host: "127.0.0.1", port, localAddress });
  socket.on("error", () => {});
  const kind = i % 3;
  // A reader that stops, with far more data coming than it reads.
  if (kind === 2) {
    socket.pause();
    const list = "GET /api/v1/projects?limit=100 HTTP/1.1\r\nHost: projectory.example\r\n\r\n";
    socket.write(list.repeat(5));
  } else {
    const head = kind === 0
      ? "GET / HTTP/1.1\r\nHost: projectory.example\r\nX-Slow: "
      : "POST /api/v1/projects HTTP/1.1\r\nHost: projectory.example\r\n" +
        "Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{";
    socket.write(head);
    socket.resume();
  }
  const timer = setInterval(() => {
    if (kind === 2) socket.read(1);
    else if (socket.writable) socket.write("a");
  }, 1_000);
  socket.on("close", () => clearInterval(timer));
  return socket;
}

/** Sends ordinary requests at a steady rate and returns their latencies (ms), fastest first. */
async function ordinary(proxy: Proxy, ms: number): Promise<number[]> {
  const latencies: number[] = [];
  const until = performance.now() + ms;
  const underWay: Promise<void>[] = [];
  for (let i = 0; performance.now() < until; i++) {
    underWay.push((async () => {
      const startedAt = performance.now();
      const path = i % 2 === 0 ? "/api/v1/projects" : `/api/v1/projects/listing-${i % 200}`;
      const response = await fetch(proxy.base + path);
      assertEquals([response.status, (await response.json()).ok], [200, true]);
      latencies.push(performance.now() - startedAt);
    })());
    await delay(1000 / RATE);
  }
  await Promise.all(underWay);
  return latencies.sort((a, b) => a - b);
}

const at = (latencies: number[], part: number) =>
  Math.round(latencies[Math.floor(latencies.length * part)]! * 10) / 10;

/** Sends from an address in the loopback network; returns the status. */
function sendFrom(
  proxy: Proxy,
  { address, headers, json }: { address: string; headers?: Record<string, string>; json: unknown },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${proxy.base}/api/v1/projects`, {
      method: "POST",
      localAddress: address,
      agent: false,
      headers: { "content-type": "application/json", ...headers },
    }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode!));
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(json));
  });
}

/** The headers about a response's body: its ETag, length and encoding. */
function bodyHeaders(
  proxy: Proxy,
  method: string,
  headers?: Record<string, string>,
): Promise<(string | undefined)[]> {
  return new Promise((resolve, reject) => {
    request(`${proxy.base}/openapi.json`, { method, headers, agent: false }, (response) => {
      response.resume();
      const { etag, "content-length": length, "content-encoding": encoding } = response.headers;
      resolve([etag, length, encoding]);
    }).on("error", reject).end();
  });
}

for (const name of ["nginx", "Caddy"]) {
  Deno.test({
    name:
      `500 slow connections behind the shipped ${name} configuration don't slow down normal traffic`,
    ignore: PROXIES[name] === undefined,
    // Timers of sockets that the proxy closed end a moment later.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () =>
      behindProxy(name, async (proxy) => {
        const alone = await ordinary(proxy, rounds(1_500, 30_000));
        const slow = new Map<number, Socket>();
        let opened = 0;
        // Clients cut off by the proxy reconnect, a few at a time: they are slow, not a flood.
        const keepOpen = (most: number) => {
          for (let i = 0; i < SLOW && most > 0; i++) {
            if (slow.has(i) && !slow.get(i)!.destroyed) continue;
            most--;
            slow.set(i, slowClient(proxy.port, i));
            opened++;
          }
        };
        keepOpen(SLOW);
        await delay(rounds(500, 5_000));
        const refilling = setInterval(() => keepOpen(10), 100);
        const beside = await ordinary(proxy, rounds(3_000, 300_000));
        clearInterval(refilling);
        for (const socket of slow.values()) socket.destroy();
        // deno-lint-ignore no-console -- the run's results
        console.log(
          `${name}: alone p50 ${at(alone, 0.5)} ms, p99 ${
            at(alone, 0.99)
          } ms; beside ${SLOW} slow ` +
            `connections (${opened} opened) p50 ${at(beside, 0.5)} ms, p99 ${
              at(beside, 0.99)
            } ms, ` +
            `slowest ${Math.round(beside.at(-1)!)} ms of ${beside.length}`,
        );
        assert(at(beside, 0.99) < Math.max(P99_MAX, 5 * at(alone, 0.99)));
        const huge = await fetch(`${proxy.base}/api/v1/projects`, {
          method: "POST",
          body: "x".repeat(700_000),
        });
        assertEquals(huge.status, 413);
        await huge.body?.cancel();
      }),
  });

  Deno.test({
    name: `behind the shipped ${name} configuration, a forged X-Forwarded-For has no effect`,
    ignore: PROXIES[name] === undefined,
    fn: () =>
      behindProxy(name, async (proxy) => {
        const statuses: number[] = [];
        for (let i = 0; i < 6; i++) {
          const spoofed = {
            "x-forwarded-for": `203.0.113.${i}`,
            "forwarded": `for=203.0.113.${i}`,
          };
          const json = { name: `Spoof ${i}`, url: `https://s${i}.example.com`, tagline: "x" };
          statuses.push(await sendFrom(proxy, { address: "127.0.1.1", headers: spoofed, json }));
        }
        assertEquals(statuses, [201, 201, 201, 201, 201, 429]);
        const json = { name: "Another", url: "https://another.example.com", tagline: "x" };
        assertEquals(await sendFrom(proxy, { address: "127.0.2.1", json }), 201);
      }),
  });

  Deno.test({
    name: `behind the shipped ${name} configuration, a response keeps its ETag and encoding`,
    ignore: PROXIES[name] === undefined,
    fn: () =>
      behindProxy(name, async (proxy) => {
        // An ETag names one encoding of a response: the proxy doesn't re-encode a response with
        // one.
        const plain = await bodyHeaders(proxy, "HEAD");
        assertEquals(await bodyHeaders(proxy, "GET"), plain);
        assertEquals(await bodyHeaders(proxy, "GET", { "accept-encoding": "zstd" }), plain);
        const zipped = { "accept-encoding": "gzip" };
        const [etag] = await bodyHeaders(proxy, "GET", zipped);
        const known = { ...zipped, "if-none-match": etag! };
        // A 304 has neither a length nor an encoding.
        assertEquals(await bodyHeaders(proxy, "GET", known), [etag, undefined, undefined]);
      }),
  });

  Deno.test({
    name:
      `behind the shipped ${name} configuration, a lost write isn't resent, and no log shows its client or edit key`,
    ignore: PROXIES[name] === undefined,
    fn: () =>
      inFolder(async (folder) => {
        let received = 0;
        using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
        const cutting = (async () => {
          for await (const connection of listener) {
            if (await connection.read(new Uint8Array(4_096)) !== null) received++;
            connection.close();
          }
        })();
        const upstreams = [`http://127.0.0.1:${listener.addr.port}`];
        await using proxy = await PROXIES[name]!({ folder, upstreams });
        const headers = { "x-edit-key": "pik_canary" };
        assertEquals(await sendFrom(proxy, { address: "127.0.9.9", headers, json: {} }), 502);
        const log = await proxy.end();
        listener.close();
        await cutting;
        assertEquals(received, 1);
        for (const canary of ["127.0.9.9", "pik_canary"]) assert(!log.includes(canary), log);
      }),
  });

  Deno.test({
    name: `behind the shipped ${name} configuration, one of two servers can serve all requests`,
    ignore: PROXIES[name] === undefined,
    fn: () =>
      inFolder(async (folder) => {
        await using server = Deno.serve(
          { hostname: "127.0.0.1", port: 0, onListen() {} },
          () => new Response("served"),
        );
        const upstreams = [freePort(), server.addr.port].map((port) => `http://127.0.0.1:${port}`);
        await using proxy = await PROXIES[name]!({ folder, upstreams });
        for (const method of ["GET", "POST", "GET", "POST", "GET", "POST"]) {
          const response = await fetch(proxy.base, { method });
          assertEquals([response.status, await response.text()], [200, "served"]);
        }
      }),
  });
}

Deno.test("the shipped nginx configuration counts connections by the same networks as the service", async () => {
  const shipped = await Deno.readTextFile(new URL("../../deploy/nginx.conf", import.meta.url));
  const prefix = new RegExp(/"~(\^.+)" \$projectory_prefix;/.exec(shipped)![1]!);
  assert(shipped.includes("limit_conn_zone $projectory_network "));
  const keyOf = (address: string) => prefix.exec(address)?.[1] ?? address;
  /**
   * The keys of many addresses in one /64, as nginx writes them: without the longest run of zeros.
   */
  const keysOf = (start: string) => {
    const keys = new Set<string>();
    for (let i = 0; i < 5_000; i++) {
      const groups = Array.from(crypto.getRandomValues(new Uint16Array(4)), (group) => group % 3);
      const end = groups.map((group) => group.toString(16)).join(":");
      keys.add(keyOf(new URL(`http://[${start}:${end}]/`).hostname.slice(1, -1)));
    }
    return keys;
  };
  assertEquals(keysOf("2001:db8:1:2"), new Set(["2001:db8:1:2:"]));
  assertEquals(keysOf("2001:db8:0:2").size, 1);
  // If the prefix ends in zeros, its addresses are written in two or three ways.
  for (const start of ["2001:db8:1:0", "2001:db8:0:0"]) assert(keysOf(start).size <= 3, start);
  assertEquals(keyOf("203.0.113.9"), "203.0.113.9");
});

Deno.test({
  name: "behind the shipped nginx configuration, running out of connections logs no client",
  ignore: PROXIES.nginx === undefined,
  fn: () =>
    inFolder(async (folder) => {
      // A server that never responds keeps its incoming connections open.
      using server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const upstreams = [`http://127.0.0.1:${server.addr.port}`];
      await using proxy = await PROXIES.nginx!({ folder, upstreams, connections: 12 });
      const clients = await Promise.all(
        Array.from({ length: 9 }, () => Deno.connect({ hostname: "127.0.0.1", port: proxy.port })),
      );
      const head = "POST /canary HTTP/1.1\r\nHost: projectory.example\r\n" +
        "Expect: 100-continue\r\nContent-Length: 1\r\n\r\n";
      const read = async (client: Deno.Conn) => {
        const bytes = new Uint8Array(4_096);
        const length = await client.read(bytes);
        return new TextDecoder().decode(bytes.subarray(0, length ?? 0));
      };
      for (const client of clients) {
        await client.write(new TextEncoder().encode(head));
        assertMatch(await read(client), /^HTTP\/1\.1 100 /);
      }
      for (const client of clients) await client.write(new TextEncoder().encode("x"));
      const answers = clients.map(read);
      assertMatch(await Promise.any(answers), /^HTTP\/1\.1 500 /);
      const log = await proxy.end();
      await Promise.allSettled(answers);
      for (const client of clients) client.close();
      assertEquals(log.match(/client|canary/), null, log);
    }),
});
