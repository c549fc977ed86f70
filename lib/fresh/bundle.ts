import { build, type Plugin } from "esbuild";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Bundles the islands and the browser runtime. Returns each script's file name and bytes. Shared
 * code is split into chunks.
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

/** Resolves names with the import map, as Deno does; packages come from Deno's cache. */
const importMap: Plugin = {
  name: "import-map",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
    }));
  },
};
