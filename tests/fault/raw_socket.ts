import type { ServerProcess } from "../support/server.ts";
import { pick, type Random } from "./from_schema.ts";

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
export async function exchange(
  server: Pick<ServerProcess, "base">,
  request: string,
): Promise<string> {
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
    // A connection closed by the server, or one that we no longer wait for.
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

/** A request that no client sends: random lines, headers, line endings and bodies. */
export function malformedRequest(random: Random): string {
  const headers = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, HEADERS));
  const end = random() < 0.9 ? "\r\n\r\n" : pick(random, ["", "\n", "\r\r", "\u0000"]);
  return `${[pick(random, LINES), ...headers].join("\r\n")}${end}${pick(random, BODIES)}`;
}
