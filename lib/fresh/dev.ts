import { App, type ListenOptions, setBuildCache } from "./app.ts";
import { BuildCache, type Snapshot, type StaticEntry } from "./build_cache.ts";
import { bundle, stopBundler } from "./bundle.ts";
import { fromFileUrl, isAbsolute, join, mediaType, relative, toFileUrl } from "./paths.ts";

/** Options of {@linkcode Builder}. Directories are relative to `root`. */
export interface BuildOptions {
  /** Browsers that the islands' scripts must run in, as esbuild names them. */
  target?: string | string[];
  root?: string;
  outDir?: string;
  staticDir?: string;
  islandDir?: string;
  routeDir?: string;
  serverEntry?: string;
  /** Files to leave out; default test files. */
  ignore?: RegExp[];
}

interface Plan {
  version: string;
  clientEntry: string;
  reloadScript?: string;
  routes: { id: string; file: string }[];
  islands: { name: string; file: string; chunk: string }[];
  chunks: { path: string; bytes: Uint8Array<ArrayBuffer> }[];
  statics: { path: string; file: string }[];
}

const TEST_FILE = /[._]test\.[tj]sx?$/;

/** Bundles islands, gathers routes and static files, and serves the app in development. */
// deno-lint-ignore no-explicit-any
export class Builder<State = any> {
  readonly config: Required<BuildOptions> & { target: string[] };

  constructor(options: BuildOptions = {}) {
    const root = absolute(options.root ?? ".", Deno.cwd());
    this.config = {
      root,
      target: [options.target ?? ["chrome99", "firefox99", "safari15"]].flat(),
      outDir: absolute(options.outDir ?? "_fresh", root),
      staticDir: absolute(options.staticDir ?? "static", root),
      islandDir: absolute(options.islandDir ?? "islands", root),
      routeDir: absolute(options.routeDir ?? "routes", root),
      serverEntry: absolute(options.serverEntry ?? "main.ts", root),
      ignore: options.ignore ?? [TEST_FILE],
    };
  }

  /**
   * Makes a production build. On disk it becomes `_fresh/`, to be served by `_fresh/server.js`; in
   * memory it is for tests. The returned function gives an app that build.
   */
  async build(
    options: { mode?: "development" | "production"; snapshot?: "disk" | "memory" } = {},
  ): Promise<(app: App<State>) => void> {
    const plan = await this.#plan(options.mode === "development");
    if (options.snapshot !== "memory") {
      await this.#write(plan);
      return () => {
        throw new Error("A build on disk is served by _fresh/server.js");
      };
    }
    const cache = new BuildCache<State>(this.config.root, await this.#load(plan));
    return (app) => setBuildCache(app, cache);
  }

  /** Serves the app; pages reload when the process was restarted, as `deno run --watch` does. */
  async listen(
    importApp: () => Promise<{ app: App<State> } | App<State>>,
    options: ListenOptions = {},
  ): Promise<void> {
    const plan = await this.#plan(true);
    const imported = await importApp();
    const app = imported instanceof App ? imported : imported.app;
    setBuildCache(app, new BuildCache<State>(this.config.root, await this.#load(plan)));
    app.config.mode = "development";
    const revision = crypto.randomUUID();
    const handler = app.handler();
    const outer = new App<State>({ mode: "development" })
      .get("/_frsh/alive", () => announce(revision))
      .all("/*", (ctx) => handler(ctx.req, ctx.info));
    // For this machine alone, unless asked otherwise.
    await outer.listen({ hostname: "127.0.0.1", ...options });
  }

  async #plan(isDev: boolean): Promise<Plan> {
    const { root, target, islandDir, routeDir, staticDir, ignore } = this.config;
    const isCode = (file: string) =>
      /\.[tj]sx?$/.test(file) && !ignore.some((pattern) => pattern.test(file));
    const islandFiles = (await walk(islandDir)).filter(isCode);
    const routeFiles = (await walk(routeDir)).filter(isCode);
    const staticFiles = (await walk(staticDir)).filter((file) =>
      !/\/\.(?!well-known)/.test(file.slice(staticDir.length))
    );

    const own = (name: string) => fromFileUrl(new URL(name, import.meta.url).href);
    const names = islandFiles.map((file) =>
      relative(islandDir, file).replace(/\.[tj]sx?$/, "").replace(/[^\w$]+/g, "_")
    );
    const entries: Record<string, string> = {};
    if (islandFiles.length > 0) entries["fresh-runtime"] = own("client.ts");
    if (isDev) entries["fresh-reload"] = own("reload_client.ts");
    islandFiles.forEach((file, i) => entries[names[i]!] = file);
    const chunks = Object.keys(entries).length === 0
      ? []
      : await bundle(entries, { root, target, isDev });
    await stopBundler();

    const statics = staticFiles.map((file) => ({ path: urlPath(staticDir, file), file }));
    const parts: Uint8Array<ArrayBuffer>[] = chunks.map((chunk) => chunk.bytes);
    for (const { path, file } of statics) {
      parts.push(new TextEncoder().encode(path), await Deno.readFile(file));
    }
    const version = await sha256(await new Blob(parts).arrayBuffer());
    const prefix = `/_fresh/js/${version}/`;
    return {
      version,
      clientEntry: `${prefix}fresh-runtime.js`,
      reloadScript: isDev ? `${prefix}fresh-reload.js` : undefined,
      routes: routeFiles.map((file) => ({
        id: `/${relative(routeDir, file).replaceAll("\\", "/").replace(/\.[tj]sx?$/, "")}`,
        file,
      })),
      islands: islandFiles.map((file, i) => ({
        name: names[i]!,
        file,
        chunk: `${prefix}${names[i]}.js`,
      })),
      chunks: chunks.map(({ name, bytes }) => ({ path: prefix + name, bytes })),
      statics,
    };
  }

  async #load(plan: Plan): Promise<Snapshot<State>> {
    const staticFiles = new Map<string, StaticEntry>();
    const add = async (path: string, bytes: Uint8Array<ArrayBuffer>) =>
      staticFiles.set(path, {
        file: bytes,
        hash: await sha256(bytes),
        contentType: mediaType(path),
      });
    for (const { path, file } of plan.statics) await add(path, await Deno.readFile(file));
    for (const { path, bytes } of plan.chunks) await add(path, bytes);
    const load = async (file: string) => await import(toFileUrl(file));
    return {
      version: plan.version,
      clientEntry: plan.clientEntry,
      reloadScript: plan.reloadScript,
      staticFiles,
      fsItems: await Promise.all(
        plan.routes.map(async ({ id, file }) => ({ id, mod: await load(file) })),
      ),
      islands: await Promise.all(
        plan.islands.map(async ({ name, chunk, file }) => ({ name, chunk, mod: await load(file) })),
      ),
    };
  }

  async #write(plan: Plan): Promise<void> {
    const { outDir, root, serverEntry } = this.config;
    await Deno.remove(outDir, { recursive: true }).catch(() => {});
    const files: [path: string, entry: StaticEntry][] = [];
    const add = async (path: string, file: string, bytes: Uint8Array<ArrayBuffer>) =>
      files.push([path, {
        file: relative(root, file).replaceAll("\\", "/"),
        hash: await sha256(bytes),
        contentType: mediaType(path),
      }]);
    for (const { path, file } of plan.statics) await add(path, file, await Deno.readFile(file));
    for (const { path, bytes } of plan.chunks) {
      const file = join(outDir, "static", path);
      await Deno.mkdir(join(file, ".."), { recursive: true });
      await Deno.writeFile(file, bytes);
      await add(path, file, bytes);
    }
    await Deno.mkdir(outDir, { recursive: true });

    const spec = (file: string) => {
      const path = relative(outDir, file).replaceAll("\\", "/");
      return JSON.stringify(path.startsWith(".") ? path : `./${path}`);
    };
    const imports = (list: { file: string }[], prefix: string) =>
      list.map(({ file }, i) => `import * as ${prefix}${i} from ${spec(file)};`);
    const snapshot = [
      "// Made by `deno task build`; not to be edited.",
      ...imports(plan.routes, "route"),
      ...imports(plan.islands, "island"),
      `export const version = ${JSON.stringify(plan.version)};`,
      `export const clientEntry = ${JSON.stringify(plan.clientEntry)};`,
      "export const fsItems = [",
      ...plan.routes.map(({ id }, i) => `  { id: ${JSON.stringify(id)}, mod: route${i} },`),
      "];",
      "export const islands = [",
      ...plan.islands.map(({ name, chunk }, i) =>
        `  { name: ${JSON.stringify(name)}, chunk: ${JSON.stringify(chunk)}, mod: island${i} },`
      ),
      "];",
      `export const staticFiles = new Map(${JSON.stringify(files, null, 2)});`,
      "",
    ].join("\n");
    const own = (name: string) => spec(fromFileUrl(new URL(name, import.meta.url).href));
    const server = [
      "// Made by `deno task build`; not to be edited.",
      `import { setBuildCache } from ${own("app.ts")};`,
      `import { BuildCache } from ${own("build_cache.ts")};`,
      `import * as snapshot from "./snapshot.js";`,
      `import { app } from ${spec(serverEntry)};`,
      "",
      `const root = import.meta.dirname + ${
        JSON.stringify("/" + relative(outDir, root).replaceAll("\\", "/"))
      };`,
      "setBuildCache(app, new BuildCache(root, snapshot));",
      "",
      "export default { fetch: app.handler() };",
      "",
    ].join("\n");
    await Deno.writeTextFile(join(outDir, "snapshot.js"), snapshot);
    await Deno.writeTextFile(join(outDir, "server.js"), server);
  }
}

/** A stream that says which process is serving; it ends when the process does. */
function announce(revision: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(`retry: 300\ndata: ${revision}\n\n`));
    },
  });
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
  });
}

function absolute(path: string, base: string): string {
  if (path.startsWith("file:")) return fromFileUrl(path);
  return isAbsolute(path) ? path : join(base, path);
}

function urlPath(dir: string, file: string): string {
  return "/" + relative(dir, file).split(/[/\\]/).map(encodeURIComponent).join("/");
}

/** All files below a directory in a fixed order; none when it is not there. */
async function walk(dir: string): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const entry of Deno.readDir(dir)) {
      const path = join(dir, entry.name);
      if (entry.isDirectory) found.push(...await walk(path));
      else if (entry.isFile) found.push(path);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found.sort();
}

async function sha256(data: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return digest.toHex().slice(0, 32);
}
