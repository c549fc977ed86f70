import * as esbuild from "esbuild";
import { findPackageJSON } from "node:module";
import { dirname, fromFileUrl, join, toFileUrl } from "./paths.ts";

/** A bundled script: its file name and bytes. */
export interface Chunk {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Bundles the islands and the browser runtime; shared code becomes chunks of its own. */
export async function bundle(
  entryPoints: Record<string, string>,
  options: { root: string; target: string[]; isDev: boolean },
): Promise<Chunk[]> {
  const result = await esbuild.build({
    entryPoints,
    absWorkingDir: options.root,
    outdir: "/out",
    entryNames: "[name]",
    chunkNames: "chunk-[hash]",
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: options.target,
    minify: !options.isDev,
    sourcemap: options.isDev ? "inline" : false,
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "silent",
    plugins: [importMap()],
  });
  return result.outputFiles.map(({ path, contents }) => ({
    name: path.slice(path.lastIndexOf("/") + 1),
    bytes: new Uint8Array(contents),
  }));
}

/** Ends the bundler's process, which would keep a command from exiting. */
export async function stopBundler(): Promise<void> {
  await esbuild.stop();
}

/** Resolves names as Deno does: by the import map, packages in Deno's own cache. */
function importMap(): esbuild.Plugin {
  return {
    name: "import-map",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        if (kind === "entry-point") return undefined;
        try {
          const resolved = import.meta.resolve(path);
          if (resolved.startsWith("file:")) return { path: fromFileUrl(resolved) };
        } catch {
          // Not in the import map: a package that another package brings along.
        }
        return { path: packageModule(path, importer) };
      });
    },
  };
}

/** The ES module of a package, as seen from the package that imports it. */
function packageModule(name: string, importer: string): string {
  const manifest = findPackageJSON(name, toFileUrl(importer));
  if (manifest === undefined) throw new Error(`Cannot find "${name}", imported by ${importer}`);
  const { module, main } = JSON.parse(Deno.readTextFileSync(manifest));
  return join(dirname(manifest), module ?? main ?? "index.js");
}
