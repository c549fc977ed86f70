import { addRoute, createRouter, findRoute } from "rou3";

/** One URL pattern and what answers each method on it. */
export interface RouteEntry<T> {
  pattern: string;
  /** Handler by method; the key `ALL` answers every method without one of its own. */
  methods: Map<string, T>;
  /** Parameters that may be absent, as empty strings; null when there are none. */
  defaults: Record<string, string> | null;
}

/** A matched pattern with its decoded parameters. */
export interface Match<T> {
  entry: RouteEntry<T>;
  params: Record<string, string>;
}

const NO_PARAMS: Record<string, string> = Object.freeze(Object.create(null));

/** Finds the most specific pattern for a path; what it knows of patterns is `rou3`'s. */
export class Router<T> {
  #rou3 = createRouter<RouteEntry<T>>();
  #entries = new Map<string, RouteEntry<T>>();

  /** Adds a handler. The first one for the same pattern and method wins. */
  add(method: string, pattern: string, item: T): void {
    const path = pattern === "*" ? "/*" : pattern;
    let entry = this.#entries.get(path);
    if (entry === undefined) {
      const optional = [...path.matchAll(/:(\w+)(?=\*|\}\?|\?)/g)].map((match) => [match[1]!, ""]);
      const defaults = optional.length === 0 ? null : Object.fromEntries(optional);
      entry = { pattern, methods: new Map(), defaults };
      this.#entries.set(path, entry);
      addRoute(this.#rou3, "", path, entry);
    }
    if (!entry.methods.has(method)) entry.methods.set(method, item);
  }

  /** `undefined` when no pattern matches `pathname`, which is percent-encoded. */
  match(pathname: string): Match<T> | undefined {
    const found = findRoute(this.#rou3, "", pathname);
    if (found === undefined) return undefined;
    const { data: entry, params } = found;
    for (const name in params) {
      const value = params[name]!;
      if (value.includes("%")) params[name] = decode(value);
    }
    if (entry.defaults !== null) return { entry, params: { ...entry.defaults, ...params } };
    return { entry, params: params ?? NO_PARAMS };
  }
}

/** Malformed escapes stay as they came: they name nothing, so the handler answers 404. */
function decode(value: string): string {
  try {
    return decodeURI(value);
  } catch {
    return value;
  }
}

/** `/blog/[id]` becomes `/blog/:id`; `[...rest]`, `[[optional]]` and `(group)` as Fresh has them. */
export function pathToPattern(path: string, options?: { keepGroups: boolean }): string {
  const parts = path.split("/");
  if (parts.at(-1) === "index") parts.pop();
  let route = "";
  for (const part of parts) {
    if (part.startsWith("[...") && part.endsWith("]")) {
      route += `/:${part.slice(4, -1)}*`;
    } else if (part.startsWith("[[") && part.endsWith("]]")) {
      route += `{/:${part.slice(2, -2)}}?`;
    } else if (part.startsWith("(") && part.endsWith(")")) {
      if (options?.keepGroups) route += `/${part}`;
    } else if (part.includes("][")) {
      throw new SyntaxError(
        `Invalid route pattern "${path}": a parameter cannot follow another without characters in between`,
      );
    } else if (part !== "") {
      const pattern = part.replace(/\[([^[\]]+)\]/g, ":$1");
      if (/[[\]]/.test(pattern)) throw new SyntaxError(`Invalid route pattern "${path}"`);
      route += `/${pattern}`;
    }
  }
  return route === "" ? "/" : route;
}

/** The path segments whose middlewares, layouts and error pages surround `pattern`. */
export function patternToSegments(pattern: string, includeLast: boolean): string[] {
  if (pattern === "/" || pattern === "*" || pattern === "/*") return [];
  const parts = pattern.replace(/\{[^{}]*\}\??/g, "").split("/").slice(1);
  if (!includeLast || parts.at(-1) === "") parts.pop();
  return parts;
}

/** Joins a base path or mount point with a pattern. */
export function mergePath(base: string, path: string): string {
  if (base.endsWith("*")) base = base.slice(0, -1);
  if (base.endsWith("/")) base = base.slice(0, -1);
  if (path === "*") path = "/*";
  return base !== "" && path === "/" ? base : base + path;
}
