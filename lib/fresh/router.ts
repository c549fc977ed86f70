import { addRoute, createRouter, findRoute } from "rou3";
import type { Middleware } from "./types.ts";

/** A URL pattern and its handlers by method. */
export interface RouteEntry<State> {
  pattern: string;
  /** The chain for unknown methods. */
  outer: Middleware<State>[];
  /** Chains by method; the key `ALL` handles every method without its own. */
  methods: Map<string, Middleware<State>[]>;
}

/** Finds the most specific pattern for a path, using `rou3`. */
export class Router<State> {
  #rou3 = createRouter<RouteEntry<State>>();

  add(entry: RouteEntry<State>): void {
    addRoute(this.#rou3, "", entry.pattern, entry);
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

/** The pattern for a file under `routes/`: `/(group)/blog/[id]/index` becomes `/blog/:id`. */
export function pathToPattern(path: string): string {
  const pattern = path.replace(/\/index$/, "").replace(/\/\([^/]*\)/g, "")
    .replace(/\[(\w+)\](?!\[)/g, ":$1");
  if (/[[\]]/.test(pattern)) throw new SyntaxError(`Invalid route pattern "${path}"`);
  return pattern || "/";
}
