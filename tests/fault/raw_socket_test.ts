import { assert, assertEquals } from "@std/assert";
import { inFolder } from "../support/folder.ts";
import { rounds, runSeed, seededRandom } from "../support/runs.ts";
import { removeBuild, startServer } from "../support/server.ts";
import { exchange, malformedRequest } from "./raw_socket.ts";

Deno.test("malformed requests on a raw socket get no 5xx, change nothing and don't end the process", async () => {
  const seed = runSeed("raw socket");
  const random = seededRandom(seed);
  await inFolder(async (folder) => {
    await using server = await startServer({ folder, env: { LOG_LEVEL: "warn" } });
    const total = rounds(400, 10_000);
    let answered = 0;
    for (let i = 0; i < total; i += 100) {
      await Promise.all(Array.from({ length: 100 }, async () => {
        const request = malformedRequest(random);
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
    const list = (await server.json("/api/v1/projects")).body;
    assertEquals([list.ok, list.total], [true, 0]);
    assert(!server.log().includes("internal_error"), server.log());
    assertEquals((await server.kill("SIGTERM")).code, 0);
  });
});

Deno.test("a request body that never ends times out without delaying other requests", async () => {
  await inFolder(async (folder) => {
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
  });
});

Deno.test.afterAll(removeBuild);
