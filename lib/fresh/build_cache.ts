import type { FsItem } from "./fs_routes.ts";
import { scriptPath } from "./shared.ts";
import type { RouteComponent } from "./types.ts";

/** A file of `static/` or of the bundle, as the build saw it. */
export interface StaticEntry {
  /** SHA-256 of its bytes, 32 hexadecimal digits. */
  hash: string;
  contentType: string;
}

/** A file ready to be served. */
export interface StaticFile extends StaticEntry {
  bytes: Uint8Array<ArrayBuffer>;
}

/** What a build produces: everything that serving needs to know but the bytes of the files. */
export interface Snapshot {
  /** The build id: it changes when a file does. */
  version: string;
  /** Whether pages reload when the server was restarted. */
  isDev: boolean;
  fsItems: FsItem[];
  /** Island modules; the name is that of their script. */
  islands: { name: string; mod: Record<string, unknown> }[];
  /** Files by their decoded URL path. */
  staticFiles: Map<string, StaticEntry>;
}

/**
 * A build as an app uses it. All files are read into memory at once, because an update replaces
 * them under the running server, whose pages need the files that they name.
 */
export class BuildCache {
  /** Names of islands by their component. */
  readonly islands: Map<unknown, string>;
  /** The component around every page, of `routes/_app.tsx`. */
  // deno-lint-ignore no-explicit-any -- of whatever state the app has
  readonly wrapper: RouteComponent<any> | undefined;
  readonly #files = new Map<string, StaticFile>();
  /** The chunks that each bundled script imports. */
  readonly #imports = new Map<string, string[]>();

  constructor(readonly snapshot: Snapshot, read: (path: string) => Uint8Array<ArrayBuffer>) {
    const { version, islands, staticFiles, fsItems } = snapshot;
    this.wrapper = fsItems.find(({ id }) => id === "/_app")?.mod.default as typeof this.wrapper;
    this.islands = new Map(islands.map(({ name, mod }) => [mod.default, name]));
    for (const [path, entry] of staticFiles) {
      const bytes = read(path);
      this.#files.set(path, { ...entry, bytes });
      if (!path.startsWith("/_fresh/js/")) continue;
      const chunks = new TextDecoder().decode(bytes).matchAll(/"\.\/(chunk-\w+)\.js"/g);
      this.#imports.set(path, [...chunks].map(([, name]) => scriptPath(version, name!)));
    }
  }

  /** The paths of some scripts, and of what they import, directly or not. */
  scriptsOf(names: string[]): string[] {
    const found = new Set(names.map((name) => scriptPath(this.snapshot.version, name)));
    // The loop also reaches what is added to the set meanwhile.
    for (const path of found) this.#imports.get(path)?.forEach((chunk) => found.add(chunk));
    return [...found];
  }

  /** The file at a decoded URL path, or null. */
  fileAt(path: string): StaticFile | null {
    return this.#files.get(path) ?? null;
  }
}

/** The build of an app that has none: no file routes, no static files, no islands. */
export const EMPTY_CACHE = new BuildCache(
  { version: "dev", isDev: false, fsItems: [], islands: [], staticFiles: new Map() },
  Deno.readFileSync,
);
