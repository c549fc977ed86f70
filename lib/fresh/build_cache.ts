import type { ComponentType } from "preact";
import type { FsItem } from "./fs_routes.ts";
import { setBuildId } from "./build_id.ts";

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
  hash: string;
  contentType: string;
}

/** What a build produces: everything that serving needs to know. */
export interface Snapshot<State> {
  version: string;
  clientEntry: string;
  reloadScript?: string;
  fsItems: FsItem<State>[];
  staticFiles: Map<string, StaticEntry>;
  /** Island modules by name, with the path of their script. */
  islands: { name: string; chunk: string; mod: { default: ComponentType } }[];
}

/** A file ready to be served. */
export interface StaticFile extends StaticEntry {
  bytes: Uint8Array<ArrayBuffer>;
}

/** A build as an app uses it. */
export class BuildCache<State = unknown> {
  readonly islands = new Map<unknown, Island>();
  readonly clientEntry: string;
  readonly reloadScript: string | null;
  readonly fsItems: FsItem<State>[];
  #files: Map<string, StaticEntry>;

  constructor(readonly root: string, snapshot: Snapshot<State>) {
    setBuildId(snapshot.version);
    this.clientEntry = snapshot.clientEntry;
    this.reloadScript = snapshot.reloadScript ?? null;
    this.fsItems = snapshot.fsItems;
    this.#files = snapshot.staticFiles;
    for (const { name, chunk, mod } of snapshot.islands) {
      this.islands.set(mod.default, { name, chunk });
    }
  }

  /** The file at a URL path, or null. Files are read when first asked for and kept. */
  async readFile(pathname: string): Promise<StaticFile | null> {
    const entry = this.#files.get(pathname);
    if (entry === undefined) return null;
    if (typeof entry.file === "string") {
      const path = entry.file.startsWith("/") ? entry.file : `${this.root}/${entry.file}`;
      entry.file = await Deno.readFile(path);
    }
    return { ...entry, bytes: entry.file };
  }
}

/** The build of an app that has none: no file routes, no static files, no islands. */
export const EMPTY_CACHE = new BuildCache<unknown>(".", {
  version: "dev",
  clientEntry: "",
  fsItems: [],
  staticFiles: new Map(),
  islands: [],
});
