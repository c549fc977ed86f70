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
export interface StaticFile extends StaticEntry {
  bytes: Uint8Array<ArrayBuffer>;
}

/** A build as an app uses it. */
export class BuildCache<State = unknown> {
  /** Islands by their component. */
  readonly islands: Map<unknown, Island>;
  readonly clientEntry: string;
  readonly reloadScript: string | null;
  readonly fsItems: FsItem<State>[];
  readonly #files: Map<string, StaticEntry>;

  constructor(readonly root: string, snapshot: Snapshot<State>) {
    setBuildId(snapshot.version);
    this.clientEntry = snapshot.clientEntry;
    this.reloadScript = snapshot.reloadScript;
    this.fsItems = snapshot.fsItems;
    this.#files = snapshot.staticFiles;
    this.islands = new Map(snapshot.islands.map((island) => [island.mod.default, island]));
  }

  /** The file at a decoded URL path, or null. Files are read when first asked for and kept. */
  async readFile(path: string): Promise<StaticFile | null> {
    const entry = this.#files.get(path);
    if (entry === undefined) return null;
    if (typeof entry.file === "string") {
      entry.file = await Deno.readFile(`${this.root}/${entry.file}`);
    }
    return { ...entry, bytes: entry.file };
  }
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
