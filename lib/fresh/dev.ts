/** The build and the development server: what `fresh/dev` exports. */
import { stop } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "./app.ts";
import { BuildCache, type Snapshot, type StaticFile } from "./build_cache.ts";
import { bundle } from "./bundle.ts";
import { scriptPath } from "./shared.ts";

/** Options of {@linkcode Builder}. */
interface BuildOptions {
  /** The folder of `main.ts`, `routes/`, `islands/` and `static/`; default the current one. */
  root?: string;
  /** Where a build is written, relative to the root; default `_fresh`. */
  outDir?: string;
}

/** Everything needed to serve, with modules still as files and every byte in memory. */
interface Plan extends Omit<Snapshot, "fsItems" | "islands"> {
  fsItems: { id: string; file: string }[];
  islands: { name: string; file: string }[];
  staticFiles: Map<string, StaticFile>;
}

/** Bundles islands, gathers routes and static files, and serves the app in development. */
// deno-lint-ignore no-explicit-any
export class Builder<State = any> {
  readonly #root: string;
  readonly #outDir: string;

  constructor({ root = ".", outDir = "_fresh" }: BuildOptions = {}) {
    this.#root = resolve(root);
    this.#outDir = resolve(root, outDir);
  }

  /**
   * Makes a production build. On disk it becomes `_fresh/`, to be served by `_fresh/server.js`; in
   * memory it is for tests. The returned function gives an app that build.
   */
  async build(
    options: { snapshot?: "disk" | "memory" } = {},
  ): Promise<(app: App<State>) => void> {
    const plan = await this.#plan(false);
    if (options.snapshot === "memory") return await load(plan);
    await this.#write(plan);
    return () => {
      throw new Error("A build on disk is served by _fresh/server.js");
    };
  }

  /**
   * Serves the app; pages reload after the process restarts, as it does under `deno run --watch`.
   */
  async listen(
    importApp: () => Promise<{ app: App<State> }>,
    options: { hostname: string; port: number },
  ): Promise<void> {
    const setBuild = await load(await this.#plan(true));
    // `deno run --watch` would leave one process of the bundler behind with each restart.
    await stop();
    const { app } = await importApp();
    setBuild(app);
    const revision = crypto.randomUUID();
    const handler = app.handler();
    await Deno.serve(options, (req, info) => {
      const isAlive = new URL(req.url).pathname === "/_frsh/alive";
      return isAlive ? announce(revision) : handler(req, info);
    }).finished;
  }

  async #plan(isDev: boolean): Promise<Plan> {
    const filesIn = (folder: string) => filesBelow(join(this.#root, folder));
    const islands = (await filesIn("islands")).map(({ path, file }) => ({
      name: stem(path).slice(1).replace(/[^\w$]+/g, "_"),
      file,
    }));
    const entries = Object.fromEntries(islands.map(({ name, file }) => [name, file]));
    entries["fresh-runtime"] = ownFile("client.ts");
    if (isDev) entries["fresh-reload"] = ownFile("reload_client.ts");
    const chunks = await bundle(entries, { root: this.#root, isDev });

    const files: [path: string, bytes: Uint8Array<ArrayBuffer>][] = [];
    for (const { path, file } of await filesIn("static")) {
      const isHidden = /\/\.(?!well-known)/.test(path);
      if (!isHidden) files.push([path, await Deno.readFile(file)]);
    }
    const version = sha256(...[...files, ...chunks].flat());
    for (const [name, bytes] of chunks) files.push([scriptPath(version, stem(name)), bytes]);
    const staticFiles: Plan["staticFiles"] = new Map();
    for (const [path, bytes] of files) {
      staticFiles.set(path, { bytes, hash: sha256(bytes), contentType: mediaType(path) });
    }
    const routes = await filesIn("routes");
    const fsItems = routes.map(({ path, file }) => ({ id: stem(path), file }));
    return { version, isDev, fsItems, islands, staticFiles };
  }

  /** Writes a plan to `outDir`: static files, a snapshot that imports the modules, the server. */
  async #write(plan: Plan): Promise<void> {
    const outDir = this.#outDir;
    await Deno.remove(outDir, { recursive: true }).catch(() => {});
    for (const [path, { bytes }] of plan.staticFiles) {
      const file = join(outDir, "static", path);
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeFile(file, bytes);
    }
    const spec = (file: string) => `./${relative(outDir, file)}`;
    const server = [
      NOTE,
      `import { BuildCache } from ${JSON.stringify(spec(ownFile("build_cache.ts")))};`,
      `import * as snapshot from "./snapshot.js";`,
      `import { app } from ${JSON.stringify(spec(join(this.#root, "main.ts")))};\n`,
      "const read = (path) => Deno.readFileSync(`${import.meta.dirname}/static${path}`);",
      "app.setBuildCache(new BuildCache(snapshot, read));\n",
      `export * from ${JSON.stringify(spec(join(this.#root, "main.ts")))};`,
      "export default { fetch: app.handler() };\n",
    ];
    await Deno.writeTextFile(join(outDir, "snapshot.js"), snapshotModule(plan, spec));
    await Deno.writeTextFile(join(outDir, "server.js"), server.join("\n"));
    await bundleServer(join(outDir, "server.js"), this.#root);
  }
}

const NOTE = "// Generated by `deno task build`; do not edit.";

/**
 * The module that exports a plan's {@linkcode Snapshot}; `spec` says how it names a file. It alone
 * imports all others: resolving a hundred imports one by one takes five times as long.
 */
function snapshotModule(plan: Plan, spec: (file: string) => string): string {
  const listed = (name: "fsItems" | "islands") => [
    ...plan[name].map(({ file }, i) =>
      `import * as ${name}${i} from ${JSON.stringify(spec(file))};`
    ),
    `export const ${name} = [`,
    ...plan[name].map(({ file: _, ...item }, i) =>
      `  { ...${JSON.stringify(item)}, mod: ${name}${i} },`
    ),
    "];",
  ];
  const staticFiles = [...plan.staticFiles].map(([path, { bytes: _, ...entry }]) => [path, entry]);
  return [
    NOTE,
    `export const version = ${JSON.stringify(plan.version)};`,
    `export const isDev = ${plan.isDev};`,
    ...listed("fsItems"),
    ...listed("islands"),
    `export const staticFiles = new Map(${JSON.stringify(staticFiles, null, 2)});\n`,
  ].join("\n");
}

/**
 * Bundles everything that a module imports into a few files, which load in less than half the time
 * that seven hundred take. What is only imported later is in files of its own. Where there is no
 * bundler, the module stays as it is and still works.
 */
async function bundleServer(file: string, root: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--platform=deno",
      "--code-splitting",
      `--outdir=${dirname(file)}`,
      file,
    ],
    cwd: root,
  }).output();
  // deno-lint-ignore no-console -- a build has no other log
  if (!success) console.warn(`Not bundled: ${new TextDecoder().decode(stderr)}`);
}

/** Imports the modules of a plan; the returned function gives an app the build. */
async function load(plan: Plan): Promise<<State>(app: App<State>) => void> {
  const source = snapshotModule(plan, (file) => pathToFileURL(file).href);
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const snapshot = await import(url);
  URL.revokeObjectURL(url);
  const cache = new BuildCache(snapshot, (path) => plan.staticFiles.get(path)!.bytes);
  return (app) => app.setBuildCache(cache);
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

/** A file in this folder. */
function ownFile(name: string): string {
  return join(import.meta.dirname!, name);
}

function stem(path: string): string {
  return path.replace(/\.[^./]+$/, "");
}

/**
 * All files below a directory, in a fixed order, with their paths from there, such as `/a/b.ts`;
 * none if it does not exist.
 */
async function filesBelow(dir: string): Promise<{ path: string; file: string }[]> {
  if (!existsSync(dir)) return [];
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name)).sort()
    .map((file) => ({ path: file.slice(dir.length), file }));
}

function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, 32);
}

/** Media types of the files in a site's `static/`. */
const MEDIA_TYPES: Record<string, string> = {
  css: "text/css; charset=UTF-8",
  ico: "image/vnd.microsoft.icon",
  js: "text/javascript; charset=UTF-8",
  json: "application/json; charset=UTF-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=UTF-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

function mediaType(path: string): string {
  return MEDIA_TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
