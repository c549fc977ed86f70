import { assert, assertEquals } from "@std/assert";
import { removeBuild, type ServerProcess, startServer } from "../support/server.ts";
import { rounds, runSeed, seededRandom } from "./fault_kv.ts";

const LINES = [
  "GET / HTTP/1.1",
  "GET /api/v1/projects HTTP/1.1",
  "POST /api/v1/projects HTTP/1.1",
  "GET http://evil.example/api/v1 HTTP/1.1",
  "GET /%zz HTTP/1.1",
  "GET /%00 HTTP/1.1",
  "GET //evil.example/%2e%2e HTTP/1.1",
  "GET /../../etc/passwd HTTP/1.1",
  "GET * HTTP/1.1",
  "GET HTTP/1.1",
  "GET / HTTP/9.9",
  "GET /\u0000 HTTP/1.1",
  "FOO / HTTP/1.1",
  "CONNECT evil.example:443 HTTP/1.1",
  "TRACE / HTTP/1.1",
  `GET /${"a".repeat(9_000)} HTTP/1.1`,
  "\u0016\u0003\u0001\u0002",
  "PRI * HTTP/2.0",
];
const HEADERS = [
  "Host: localhost",
  'Host: a b"<>',
  "Host: ",
  "Host: evil.example",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Content-Length: 5\r\nContent-Length: 6",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked\r\nContent-Length: 4",
  "Transfer-Encoding: gzip",
  "Content-Type: application/json",
  "X-Agent-Name: \u0001",
  `X-Long: ${"x".repeat(9_000)}`,
  "No colon here",
  " Folded: line",
  "Expect: 100-continue",
  "Connection: upgrade\r\nUpgrade: websocket",
  ...Array.from(
    { length: 3 },
    () => Array.from({ length: 150 }, (_, i) => `H${i}: 1`).join("\r\n"),
  ),
];
const BODIES = ["", "{}", '5\r\n{"a":\r\n0\r\n\r\n', "zz\r\n", "\u0000\u0000", "x".repeat(3_000)];

/** Sends bytes and returns what comes back within 300 ms, as Latin-1. */
async function exchange(server: ServerProcess, request: string): Promise<string> {
  const { hostname, port } = new URL(server.base);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  let answer = "";
  const timer = setTimeout(() => connection.close(), 300);
  try {
    await connection.write(Uint8Array.from(request, (c) => c.charCodeAt(0)));
    await connection.closeWrite();
    for await (const chunk of connection.readable) {
      answer += new TextDecoder("latin1").decode(chunk);
    }
  } catch {
    // A connection that the server breaks off, or one that we no longer wait for.
  } finally {
    clearTimeout(timer);
    try {
      connection.close();
    } catch {
      // closed already
    }
  }
  return answer;
}

Deno.test("malformed requests on a raw socket (B2): never a 500, never one that changes anything, and the process lives", async () => {
  const seed = runSeed("raw socket");
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const folder = await Deno.makeTempDir();
  try {
    await using server = await startServer({ folder, env: { LOG_LEVEL: "warn" } });
    const total = rounds(400, 10_000);
    let answered = 0;
    for (let i = 0; i < total; i += 20) {
      await Promise.all(Array.from({ length: 20 }, async () => {
        const headers = Array.from({ length: Math.floor(random() * 4) }, () => pick(HEADERS));
        const end = random() < 0.9 ? "\r\n\r\n" : pick(["", "\n", "\r\r", "\u0000"]);
        const request = `${[pick(LINES), ...headers].join("\r\n")}${end}${pick(BODIES)}`;
        const answer = await exchange(server, request);
        if (answer !== "") answered++;
        for (const [, status] of answer.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          assert(Number(status) < 500, `seed ${seed}: ${JSON.stringify(request)}\n${answer}`);
        }
        const body = answer.split("\r\n\r\n")[1] ?? "";
        assert(!body.includes("evil.example"), `seed ${seed}: ${JSON.stringify(request)}`);
      }));
    }
    assert(answered > total / 2, `${answered} of ${total} were answered`);
    const list = await (await fetch(`${server.base}/api/v1/projects`)).json();
    assertEquals([list.ok, list.total], [true, 0]);
    assert(!server.log().includes("internal_error"), server.log());
    assertEquals((await server.kill("SIGTERM")).code, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
    await removeBuild();
  }
});

Deno.test("a body that never ends is answered after its deadline, and holds up nobody else", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using server = await startServer({ folder });
    const { hostname, port } = new URL(server.base);
    const slow = await Promise.all(Array.from({ length: 50 }, async () => {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      const head = "POST /api/v1/projects HTTP/1.1\r\nHost: x\r\n" +
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
      await connection.write(new TextEncoder().encode(head));
      return connection;
    }));
    const startedAt = performance.now();
    const response = await fetch(`${server.base}/api/v1/projects`);
    assertEquals([response.status, (await response.json()).ok], [200, true]);
    assert(performance.now() - startedAt < 2_000);
    const buffer = new Uint8Array(200);
    const read = await slow[0]!.read(buffer);
    const answer = new TextDecoder().decode(buffer.subarray(0, read ?? 0));
    assert(answer.startsWith("HTTP/1.1 400"), answer);
    for (const connection of slow) connection.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
    await removeBuild();
  }
});
