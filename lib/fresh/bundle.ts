import { build, type Plugin } from "esbuild";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Bundles the islands and the browser runtime, and gives each script's file name and bytes. Shared
 * code becomes chunks of its own.
 */
export async function bundle(
  entryPoints: Record<string, string>,
  { root, isDev }: { root: string; isDev: boolean },
): Promise<[name: string, bytes: Uint8Array<ArrayBuffer>][]> {
  const result = await build({
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
    plugins: [importMap],
  });
  return result.outputFiles.map(({ path, contents }) => [basename(path), new Uint8Array(contents)]);
}

/** Resolves names as Deno does: by the import map, packages in Deno's own cache. */
const importMap: Plugin = {
  name: "import-map",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
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

/** The ES module of a package, as seen from the package that imports it. */
function packageModule(name: string, importer: string): string {
  let folder = dirname(createRequire(importer).resolve(name));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  const { module, main } = JSON.parse(Deno.readTextFileSync(join(folder, "package.json")));
  return join(folder, module ?? main ?? "index.js");
}
