/** Builds and develops: what `fresh/dev` exports. */
import { isAbsolute, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { App, setBuildCache } from "./app.ts";
import { BuildCache, type Snapshot, type StaticEntry } from "./build_cache.ts";
import { bundle } from "./bundle.ts";

/** Options of {@linkcode Builder}: paths or `file:` URLs. */
export interface BuildOptions {
  /** The folder of `main.ts`, `routes/`, `islands/` and `static/`; default the current one. */
  root?: string;
  /** Where a build is written, relative to the root; default `_fresh`. */
  outDir?: string;
}

/** Everything that serving needs to know, with modules still as files and every byte in memory. */
interface Plan extends Omit<Snapshot<unknown>, "fsItems" | "islands"> {
  routes: { id: string; file: string }[];
  islands: { name: string; file: string; chunk: string }[];
  staticFiles: Map<string, StaticEntry & { file: Uint8Array<ArrayBuffer> }>;
}

/** Bundles islands, gathers routes and static files, and serves the app in development. */
// deno-lint-ignore no-explicit-any
export class Builder<State = any> {
  readonly #root: string;
  readonly #outDir: string;

  constructor({ root = ".", outDir = "_fresh" }: BuildOptions = {}) {
    this.#root = absolute(root, Deno.cwd());
    this.#outDir = absolute(outDir, this.#root);
  }

  /**
   * Makes a production build. On disk it becomes `_fresh/`, to be served by `_fresh/server.js`; in
   * memory it is for tests. The returned function gives an app that build.
   */
  async build(
    options: { snapshot?: "disk" | "memory" } = {},
  ): Promise<(app: App<State>) => void> {
    const plan = await this.#plan(false);
    if (options.snapshot === "memory") return await this.#load(plan);
    await this.#write(plan);
    return () => {
      throw new Error("A build on disk is served by _fresh/server.js");
    };
  }

  /** Serves the app; pages reload when the process was restarted, as `deno run --watch` does. */
  async listen(
    importApp: () => Promise<{ app: App<State> }>,
    options: Partial<Deno.ServeTcpOptions> = {},
  ): Promise<void> {
    const setBuild = await this.#load(await this.#plan(true));
    const { app } = await importApp();
    setBuild(app);
    const revision = crypto.randomUUID();
    const handler = app.handler();
    const outer = new App()
      .get("/_frsh/alive", () => announce(revision))
      .all("/*", (ctx) => handler(ctx.req, ctx.info));
    // For this machine alone, unless asked otherwise.
    await outer.listen({ hostname: "127.0.0.1", ...options });
  }

  async #plan(isDev: boolean): Promise<Plan> {
    const root = this.#root;
    const [routes, islandFiles, statics] = await Promise.all(
      ["routes", "islands", "static"].map((name) => filesBelow(join(root, name))),
    ) as [string[], string[], string[]];
    const islands = islandFiles.map((path) => ({
      name: stem(path).replace(/[^\w$]+/g, "_"),
      file: join(root, "islands", path),
    }));
    const own = (name: string) => fileURLToPath(new URL(name, import.meta.url));
    const entries = Object.fromEntries(islands.map(({ name, file }) => [name, file]));
    if (islands.length > 0) entries["fresh-runtime"] = own("client.ts");
    if (isDev) entries["fresh-reload"] = own("reload_client.ts");
    const chunks = Object.keys(entries).length > 0 ? await bundle(entries, { root, isDev }) : [];

    const files: [path: string, bytes: Uint8Array<ArrayBuffer>][] = [];
    for (const path of statics) {
      const isHidden = /(^|\/)\.(?!well-known)/.test(path);
      if (!isHidden) files.push([`/${path}`, await Deno.readFile(join(root, "static", path))]);
    }
    const parts = [...files.flat(), ...chunks.map(({ bytes }) => bytes)];
    const version = await sha256(await new Blob(parts).arrayBuffer());
    const urlOf = (name: string) => `/_fresh/js/${version}/${name}.js`;
    for (const { name, bytes } of chunks) files.push([`/_fresh/js/${version}/${name}`, bytes]);
    const staticFiles: Plan["staticFiles"] = new Map();
    for (const [path, file] of files) {
      staticFiles.set(path, { file, hash: await sha256(file), contentType: mediaType(path) });
    }
    return {
      version,
      clientEntry: urlOf("fresh-runtime"),
      reloadScript: isDev ? urlOf("fresh-reload") : null,
      routes: routes.map((path) => ({ id: `/${stem(path)}`, file: join(root, "routes", path) })),
      islands: islands.map((island) => ({ ...island, chunk: urlOf(island.name) })),
      staticFiles,
    };
  }

  /** Imports the modules of a plan; the returned function gives an app the build. */
  async #load(plan: Plan): Promise<(app: App<State>) => void> {
    const fsItems = await withModules(plan.routes);
    const islands = await withModules(plan.islands);
    const cache = new BuildCache<State>(this.#root, { ...plan, fsItems, islands });
    return (app) => setBuildCache(app, cache);
  }

  /** Writes a plan to `outDir`: bundled scripts, a snapshot that imports the modules, the server. */
  async #write({ version, clientEntry, reloadScript, ...plan }: Plan): Promise<void> {
    const outDir = this.#outDir;
    await Deno.remove(outDir, { recursive: true }).catch(() => {});
    await Deno.mkdir(join(outDir, `static/_fresh/js/${version}`), { recursive: true });
    const staticFiles: [string, StaticEntry][] = [];
    for (const [path, entry] of plan.staticFiles) {
      const isBundled = path.startsWith("/_fresh/");
      const file = join(isBundled ? outDir : this.#root, "static", path);
      if (isBundled) await Deno.writeFile(file, entry.file);
      staticFiles.push([path, { ...entry, file: toPosix(relative(this.#root, file)) }]);
    }

    const spec = (file: string) => JSON.stringify(`./${toPosix(relative(outDir, file))}`);
    const own = (name: string) => spec(fileURLToPath(new URL(name, import.meta.url)));
    // The lines that export a list of items, each with its module.
    const listed = (name: string, items: { file: string }[]) => [
      ...items.map(({ file }, i) => `import * as ${name}${i} from ${spec(file)};`),
      `export const ${name} = [`,
      ...items.map(({ file: _, ...item }, i) =>
        `  { ...${JSON.stringify(item)}, mod: ${name}${i} },`
      ),
      "];",
    ];
    const snapshot = [
      NOTE,
      ...Object.entries({ version, clientEntry, reloadScript })
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`),
      ...listed("fsItems", plan.routes),
      ...listed("islands", plan.islands),
      `export const staticFiles = new Map(${JSON.stringify(staticFiles, null, 2)});\n`,
    ];
    const root = JSON.stringify(`/${toPosix(relative(outDir, this.#root))}`);
    const server = [
      NOTE,
      `import { setBuildCache } from ${own("app.ts")};`,
      `import { BuildCache } from ${own("build_cache.ts")};`,
      `import * as snapshot from "./snapshot.js";`,
      `import { app } from ${spec(join(this.#root, "main.ts"))};\n`,
      `setBuildCache(app, new BuildCache(import.meta.dirname + ${root}, snapshot));\n`,
      "export default { fetch: app.handler() };\n",
    ];
    await Deno.writeTextFile(join(outDir, "snapshot.js"), snapshot.join("\n"));
    await Deno.writeTextFile(join(outDir, "server.js"), server.join("\n"));
  }
}

const NOTE = "// Made by `deno task build`; not to be edited.";

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
  if (path.startsWith("file:")) return fileURLToPath(path);
  return isAbsolute(path) ? path : join(base, path);
}

function toPosix(path: string): string {
  return path.replaceAll("\\", "/");
}

function stem(path: string): string {
  return path.replace(/\.[^./]+$/, "");
}

/** All files below a directory, relative to it, in a fixed order; none when it is not there. */
async function filesBelow(dir: string): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(dir)) {
      if (!isDirectory) found.push(name);
      else found.push(...(await filesBelow(join(dir, name))).map((path) => `${name}/${path}`));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found.sort();
}

/**
 * Adds to each item the module that its file is. One module imports them all: a hundred imports that
 * are each resolved by themselves take five times as long.
 */
// deno-lint-ignore no-explicit-any -- what they export is known to the caller alone
async function withModules<T extends { file: string }>(items: T[]): Promise<(T & { mod: any })[]> {
  const lines = items.map(({ file }, i) =>
    `export * as module${i} from ${JSON.stringify(pathToFileURL(file).href)};`
  );
  const url = URL.createObjectURL(new Blob([lines.join("\n")], { type: "text/javascript" }));
  try {
    const modules = await import(url);
    return items.map((item, i) => ({ ...item, mod: modules[`module${i}`] }));
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function sha256(data: BufferSource): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data)).toHex().slice(0, 32);
}

/** Media types of the files that a site's `static/` holds. */
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
