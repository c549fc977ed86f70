import { assert, assertEquals } from "@std/assert";
import { createConnection, type Socket } from "node:net";
import { freePort, removeBuild, startServer } from "../support/server.ts";
import { rounds } from "./fault_kv.ts";

const SHIPPED = new URL("../../deploy/nginx.conf", import.meta.url);
const hasNginx = await new Deno.Command("nginx", { args: ["-v"], stderr: "null" }).output()
  .then(({ success }) => success, () => false);

/** Starts nginx with the shipped configuration, on a free port of the loopback address and without TLS. */
async function startProxy(folder: string, upstream: string) {
  const port = freePort();
  const shipped = await Deno.readTextFile(SHIPPED);
  const [, secure] = shipped.split("server_name projectory.example;\n  location /.well-known/");
  assert(secure !== undefined);
  const site = shipped
    .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, "")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/ {2}listen \[::\]:443.*\n/, "")
    .replace(/ {2}ssl_.*\n/g, "")
    .replace("127.0.0.1:8000", new URL(upstream).host);
  await Deno.writeTextFile(
    `${folder}/nginx.conf`,
    `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nworker_processes 1;\n` +
      `events { worker_connections 4096; }\nhttp {\n` +
      ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${folder}/${name};\n`).join("") +
      `${site}\n}\n`,
  );
  const args = ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`];
  const test = await new Deno.Command("nginx", { args: [...args, "-t"], stderr: "piped" }).output();
  assert(test.success, new TextDecoder().decode(test.stderr));
  const child = new Deno.Command("nginx", {
    args: [...args, "-g", "daemon off;"],
    stderr: "null",
    stdout: "null",
  }).spawn();
  const base = `http://127.0.0.1:${port}`;
  for (let i = 0;; i++) {
    try {
      await (await fetch(`${base}/api/v1`)).body?.cancel();
      break;
    } catch (error) {
      if (i > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    base,
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

/** A client that sends a header or a body a byte at a time, from an address of its own. */
function slowClient(port: number, i: number): Socket {
  const socket = createConnection({
    host: "127.0.0.1",
    port,
    localAddress: `127.0.${1 + Math.floor(i / 50)}.1`,
  });
  socket.on("error", () => {});
  const head = i % 2 === 0
    ? "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
    : "POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
      "Content-Length: 60000\r\n\r\n{";
  socket.write(head);
  const timer = setInterval(() => socket.writable && socket.write("a"), 1_000);
  socket.on("close", () => clearInterval(timer));
  return socket;
}

Deno.test({
  name:
    "500 slow connections behind the shipped nginx configuration (L5) leave normal traffic unharmed",
  ignore: !hasNginx,
  // Timers of sockets that the proxy has closed end a moment later.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      await using server = await startServer({ folder, env: { TRUSTED_PROXIES: "1" } });
      await using proxy = await startProxy(folder, server.base);
      const slow = new Map<number, Socket>();
      const until = performance.now() + rounds(3_000, 300_000);
      let slowest = 0;
      let answered = 0;
      while (performance.now() < until) {
        for (let i = 0; i < 500; i++) {
          if (!slow.has(i) || slow.get(i)!.destroyed) slow.set(i, slowClient(proxy.port, i));
        }
        for (let i = 0; i < 20; i++) {
          const startedAt = performance.now();
          const response = await fetch(`${proxy.base}/api/v1/projects`);
          assertEquals([response.status, (await response.json()).ok], [200, true]);
          slowest = Math.max(slowest, performance.now() - startedAt);
          answered++;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const listed = await fetch(`${proxy.base}/api/v1/projects`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": "6.6.6.6" },
        body: JSON.stringify({ name: "Through", url: "https://t.example.com", tagline: "x" }),
      });
      assertEquals(listed.status, 201);
      await listed.body?.cancel();
      const huge = await fetch(`${proxy.base}/api/v1/projects`, {
        method: "POST",
        body: "x".repeat(700_000),
      });
      assertEquals(huge.status, 413);
      await huge.body?.cancel();
      for (const socket of slow.values()) socket.destroy();
      assert(slowest < 1_000, `slowest ${slowest} ms`);
      // deno-lint-ignore no-console -- the figure of the run
      console.log(`L5: ${answered} answers, slowest ${Math.round(slowest)} ms`);
    } finally {
      await Deno.remove(folder, { recursive: true });
      await removeBuild();
    }
  },
});
