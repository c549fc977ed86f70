import { addRoute, createRouter, findRoute } from "rou3";
import type { Middleware } from "./types.ts";

/** A URL pattern and its handlers by method. */
export interface RouteEntry<State> {
  pattern: string;
  /** The parameter for the rest of the path, which may be empty; undefined if there is none. */
  rest: string | undefined;
  /** The chain for unknown methods. */
  outer: Middleware<State>[];
  /** Chains by method; the key `ALL` handles every method without its own. */
  methods: Map<string, Middleware<State>[]>;
}

/** Finds the most specific pattern for a path, using `rou3`. */
export class Router<State> {
  #rou3 = createRouter<RouteEntry<State>>();
  #entries = new Map<string, RouteEntry<State>>();

  /** Adds a chain for a method. The first for a pattern and method wins. */
  add(method: string, pattern: string, outer: Middleware<State>[], last: Middleware<State>): void {
    let entry = this.#entries.get(pattern);
    if (entry === undefined) {
      entry = { pattern, rest: /:(\w+)\*$/.exec(pattern)?.[1], outer, methods: new Map() };
      this.#entries.set(pattern, entry);
      addRoute(this.#rou3, "", pattern, entry);
    }
    if (entry.methods.has(method)) return;
    entry.methods.set(method, [...outer, last]);
  }

  /** The entry for a percent-encoded path, with decoded parameters, or `undefined`. */
  match(
    pathname: string,
  ): { entry: RouteEntry<State>; params: Record<string, string> } | undefined {
    const found = findRoute(this.#rou3, "", pathname);
    if (found === undefined) return undefined;
    const { data: entry, params = {} } = found;
    for (const name in params) {
      const value = params[name]!;
      if (value.includes("%")) params[name] = decode(value);
    }
    if (entry.rest !== undefined) params[entry.rest] ??= "";
    return { entry, params };
  }
}

/** Malformed escapes stay as they are: they name nothing, so the handler returns a 404. */
function decode(value: string): string {
  try {
    return decodeURI(value);
  } catch {
    return value;
  }
}

/** `/blog/[id]` becomes `/blog/:id`, and `/docs/[...rest]` becomes `/docs/:rest*`. */
function withParams(path: string): string {
  const pattern = path.replace(/\/\[\.{3}([^[\]]+)\]$/, "/:$1*")
    .replace(/\[([^[\]]+)\](?!\[)/g, ":$1");
  if (/[[\]]/.test(pattern)) throw new SyntaxError(`Invalid route pattern "${path}"`);
  return pattern;
}

/** The pattern for a file under `routes/`, without `(group)` and `index`. */
export function pathToPattern(path: string): string {
  return withParams(path.replace(/\/index$/, "").replace(/\/\([^/]*\)/g, "")) || "/";
}
