import type { FsItem } from "./fs_routes.ts";
import { scriptPath } from "./shared.ts";
import type { RouteComponent } from "./types.ts";

/** A file in `static/` or the bundle at build time. */
interface StaticEntry {
  /** SHA-256 of its bytes, 32 hexadecimal digits. */
  hash: string;
  contentType: string;
}

/** A file ready to be served; compressed once a client has asked for that. */
export interface StaticFile extends StaticEntry {
  bytes: Uint8Array<ArrayBuffer>;
  br?: Uint8Array<ArrayBuffer>;
  gzip?: Uint8Array<ArrayBuffer>;
}

/** A build's output: everything serving needs except the files' bytes. */
export interface Snapshot {
  /** The build id, which changes with any file. */
  version: string;
  /** True if pages reload after a server restart. */
  isDev: boolean;
  fsItems: FsItem[];
  /** Island modules, each named after its script. */
  islands: { name: string; mod: Record<string, unknown> }[];
  /** Files by their decoded URL path. */
  staticFiles: Map<string, StaticEntry>;
}

/**
 * A build in use by an app. All files are read into memory at startup, because an update replaces
 * them under the running server, whose pages still need them.
 */
export class BuildCache {
  /** Island names by component. */
  readonly islands: Map<unknown, string>;
  /** The component around every page, from `routes/_app.tsx`. */
  // deno-lint-ignore no-explicit-any -- of whatever state the app has
  readonly wrapper: RouteComponent<any> | undefined;
  readonly #files = new Map<string, StaticFile>();
  /** The chunks each bundled script imports. */
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

  /** The paths of these scripts and everything they import, directly or not. */
  scriptsOf(names: string[]): string[] {
    const found = new Set(names.map((name) => scriptPath(this.snapshot.version, name)));
    // The loop also visits items added to the set during it.
    for (const path of found) this.#imports.get(path)?.forEach((chunk) => found.add(chunk));
    return [...found];
  }

  /** The file at a decoded URL path, or null. */
  fileAt(path: string): StaticFile | null {
    return this.#files.get(path) ?? null;
  }
}

/** The build of an app without one: no file routes, static files or islands. */
export const EMPTY_CACHE = new BuildCache(
  { version: "dev", isDev: false, fsItems: [], islands: [], staticFiles: new Map() },
  Deno.readFileSync,
);
