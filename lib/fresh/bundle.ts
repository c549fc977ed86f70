import * as esbuild from "esbuild";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A bundled script: its file name and bytes. */
export interface Chunk {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Bundles the islands and the browser runtime. Shared code becomes chunks of its own. One bundle is
 * made at a time: without ending the bundler's process a command would not exit, but ending it
 * would leave another bundle waiting for ever.
 */
export function bundle(
  entryPoints: Record<string, string>,
  options: { root: string; isDev: boolean },
): Promise<Chunk[]> {
  const run = () => bundleOne(entryPoints, options).finally(() => esbuild.stop());
  const made = last.then(run, run);
  last = made;
  return made;
}

async function bundleOne(
  entryPoints: Record<string, string>,
  { root, isDev }: { root: string; isDev: boolean },
): Promise<Chunk[]> {
  const result = await esbuild.build({
    entryPoints,
    absWorkingDir: root,
    outdir: "/out",
    entryNames: "[name]",
    chunkNames: "chunk-[hash]",
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: ["chrome99", "firefox99", "safari15"],
    minify: !isDev,
    sourcemap: isDev ? "inline" : false,
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

/** Resolves names as Deno does: by the import map, packages in Deno's own cache. */
function importMap(): esbuild.Plugin {
  return {
    name: "import-map",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        if (kind === "entry-point") return undefined;
        try {
          const resolved = import.meta.resolve(path);
          if (resolved.startsWith("file:")) return { path: fileURLToPath(resolved) };
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
  const manifest = findPackageJSON(name, pathToFileURL(importer));
  if (manifest === undefined) throw new Error(`Cannot find "${name}", imported by ${importer}`);
  const { module, main } = JSON.parse(Deno.readTextFileSync(manifest));
  return join(dirname(manifest), module ?? main ?? "index.js");
}
