import { assert } from "@std/assert";
import { freePort } from "./free_port.ts";
import { succeeds } from "./programs.ts";
import { until } from "./until.ts";

const deploy = new URL("../../deploy/", import.meta.url);

/** A reverse proxy running with the project's own configuration. */
export interface Proxy extends AsyncDisposable {
  base: string;
  port: number;
  /** Stops it; returns everything it has logged. */
  end(): Promise<string>;
}

/** Where a proxy keeps its files, the servers behind it, and a certificate if it uses TLS. */
interface ProxyOptions {
  folder: string;
  upstreams: string[];
  /** The maximum number of nginx connections, including its own. */
  connections?: number;
  tls?: { certificate: string; key: string; host: string };
}

/** The proxies installed on this machine, by name. */
export const PROXIES: Record<string, (options: ProxyOptions) => Promise<Proxy>> = {
  ...(await succeeds("nginx", "-v") ? { nginx: startNginx } : {}),
  ...(await succeeds("caddy", "version") ? { Caddy: startCaddy } : {}),
};

/** Starts nginx with `deploy/nginx.conf` on a free loopback port. */
async function startNginx(
  { folder, upstreams, connections = 4096, tls }: ProxyOptions,
): Promise<Proxy> {
  const port = freePort();
  const shipped = await Deno.readTextFile(new URL("nginx.conf", deploy));
  const site = shipped
    // The server on port 80 only redirects to the other.
    .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, "")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port}${tls ? " ssl http2" : ""};`)
    .replace(/ {2}listen \[::\]:443.*\n/, "")
    .replace(/ssl_certificate .*;/, tls ? `ssl_certificate ${tls.certificate};` : "")
    .replace(/ssl_certificate_key .*;/, tls ? `ssl_certificate_key ${tls.key};` : "")
    .replaceAll("projectory.example", tls?.host ?? "projectory.example")
    .replace("server 127.0.0.1:8000;", hosts(upstreams).map((host) => `server ${host};`).join(" "))
    .replaceAll("/var/log/nginx", folder);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};\n`).join("");
  await Deno.writeTextFile(
    `${folder}/nginx.conf`,
    `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nworker_processes 1;\n` +
      `events { worker_connections ${connections}; }\nhttp {\n${temporary}${site}\n}\n`,
  );
  const args = ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`];
  const test = await new Deno.Command("nginx", { args: [...args, "-t"], stderr: "piped" }).output();
  assert(test.success, new TextDecoder().decode(test.stderr));
  return await start("nginx", [...args, "-g", "daemon off;"], { folder, port, tls });
}

/** Starts Caddy with `deploy/Caddyfile` on a free loopback port. */
async function startCaddy({ folder, upstreams, tls }: ProxyOptions): Promise<Proxy> {
  const port = freePort();
  const shipped = await Deno.readTextFile(new URL("Caddyfile", deploy));
  const site = shipped
    .replace("{\n\tservers {", "{\n\tadmin off\n\tauto_https off\n\tservers {")
    .replace(
      "projectory.example {",
      tls
        ? `https://${tls.host}:${port} {\n\ttls ${tls.certificate} ${tls.key}`
        : `http://:${port} {`,
    )
    .replace("127.0.0.1:8000", hosts(upstreams).join(" "));
  await Deno.writeTextFile(`${folder}/Caddyfile`, site);
  const args = ["run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"];
  return await start("caddy", args, { folder, port, tls });
}

const hosts = (upstreams: string[]) => upstreams.map((upstream) => new URL(upstream).host);

async function start(
  program: string,
  args: string[],
  { folder, port, tls }: { folder: string; port: number; tls?: ProxyOptions["tls"] },
): Promise<Proxy> {
  const child = new Deno.Command(program, {
    args,
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stderr: "piped",
    stdout: "null",
  }).spawn();
  const stderr = child.stderr.text();
  const connect = async () => (await Deno.connect({ hostname: "127.0.0.1", port })).close();
  await until(`${program} listens`, () => connect().then(() => true, () => false));
  let ended: Promise<string> | undefined;
  const end = () =>
    ended ??= (async () => {
      child.kill("SIGTERM");
      await child.status;
      const files = await Array.fromAsync(Deno.readDir(folder));
      const logs = files.filter(({ name }) => name.endsWith(".log"))
        .map(({ name }) => Deno.readTextFile(`${folder}/${name}`));
      return [await stderr, ...await Promise.all(logs)].join("\n");
    })();
  return {
    base: tls ? `https://${tls.host}:${port}` : `http://127.0.0.1:${port}`,
    port,
    end,
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}
