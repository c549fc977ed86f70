import type { ComponentType } from "preact";
import type { FsItem } from "./fs_routes.ts";
import { setBuildId } from "./shared.ts";

/** A component that runs in the browser too. */
export interface Island {
  name: string;
  /** Path of its bundled script. */
  chunk: string;
}

/** A file of `static/` or of the bundle, as the build saw it. */
export interface StaticEntry {
  /** Where its bytes are, relative to the root; or the bytes themselves. */
  file: string | Uint8Array<ArrayBuffer>;
  /** SHA-256 of its bytes, 32 hexadecimal digits. */
  hash: string;
  contentType: string;
}

/** What a build produces: everything that serving needs to know. */
export interface Snapshot<State> {
  /** The build id: it changes when a file does. */
  version: string;
  /** Path of the script that starts the islands. */
  clientEntry: string;
  /** Path of the script that reloads pages in development; null in production. */
  reloadScript: string | null;
  fsItems: FsItem<State>[];
  /** Files by their decoded URL path. */
  staticFiles: Map<string, StaticEntry>;
  /** Island modules by name, with the path of their script. */
  islands: (Island & { mod: { default: ComponentType } })[];
}

/** A file ready to be served. */
export interface StaticFile extends Omit<StaticEntry, "file"> {
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A build as an app uses it. All files are read into memory at once, because an update replaces
 * them under the running server, whose pages need the files that they name.
 */
export class BuildCache<State = unknown> {
  /** Islands by their component. */
  readonly islands: Map<unknown, Island>;
  readonly clientEntry: string;
  readonly reloadScript: string | null;
  readonly fsItems: FsItem<State>[];
  readonly #files: Map<string, StaticFile>;
  /** The chunks that a script imports from its folder, by its path. */
  readonly #imports: Map<string, string[]>;

  constructor(root: string, snapshot: Snapshot<State>) {
    setBuildId(snapshot.version);
    this.clientEntry = snapshot.clientEntry;
    this.reloadScript = snapshot.reloadScript;
    this.fsItems = snapshot.fsItems;
    this.#files = new Map(
      [...snapshot.staticFiles].map(([path, { file, ...entry }]) => {
        const bytes = typeof file === "string" ? Deno.readFileSync(`${root}/${file}`) : file;
        return [path, { ...entry, bytes }];
      }),
    );
    this.#imports = new Map(
      [...this.#files].filter(([path]) => path.endsWith(".js"))
        .map(([path, { bytes }]) => [path, chunksIn(bytes)]),
    );
    this.islands = new Map(snapshot.islands.map((island) => [island.mod.default, island]));
  }

  /** The paths of the scripts that these scripts import, and of those that they import in turn. */
  importsOf(scripts: readonly string[]): string[] {
    const found = new Set(scripts);
    // What is added to a set while it is gone through is gone through too.
    for (const path of found) {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      for (const name of this.#imports.get(path) ?? []) found.add(folder + name);
    }
    return [...found].slice(scripts.length);
  }

  /** The file at a decoded URL path, or null. */
  fileAt(path: string): StaticFile | null {
    return this.#files.get(path) ?? null;
  }
}

/** The names of the chunks that a bundled script imports. */
function chunksIn(bytes: Uint8Array): string[] {
  return [...new TextDecoder().decode(bytes).matchAll(/"\.\/(chunk-\w+\.js)"/g)]
    .map(([, name]) => name!);
}

/** The build of an app that has none: no file routes, no static files, no islands. */
export const EMPTY_CACHE = new BuildCache(".", {
  version: "dev",
  clientEntry: "",
  reloadScript: null,
  fsItems: [],
  staticFiles: new Map(),
  islands: [],
});
