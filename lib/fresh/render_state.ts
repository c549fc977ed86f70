import {
  type ComponentChildren,
  type ComponentType,
  Fragment,
  h,
  isValidElement,
  options as preactOptions,
  toChildArray,
  type VNode,
} from "preact";
import type { BuildCache } from "./build_cache.ts";
import { encodeIslands, type IslandsState } from "./island_props.ts";
import { Head, scriptPath } from "./shared.ts";

type AnyVNode = VNode<Record<string, unknown>>;

/** What is collected while rendering one document. */
export class RenderState {
  /** The islands of the document, with the props of each instance. */
  readonly instances: IslandsState["islands"] = [];
  /** Elements from `<Head>`, by the key they replace. */
  readonly headItems = new Map<string, ComponentChildren>();
  /** How many islands the current component is inside. */
  depth = 0;
  inHead = false;

  constructor(readonly url: URL, readonly buildCache: BuildCache) {}

  /**
   * The `Link` header value that preloads the islands' scripts and their imports, which the browser
   * would otherwise find only in the scripts; empty without islands.
   */
  preloadLinks(): string {
    if (this.instances.length === 0) return "";
    const names = ["fresh-runtime", ...this.instances.map(({ island }) => island)];
    return this.buildCache.scriptsOf(names).map((path) => `<${path}>; rel="modulepreload"`)
      .join(", ");
  }
}

let current: RenderState | null = null;

/** Runs `render`, which must be synchronous, with the hooks below writing to `state`. */
export function withRenderState<T>(state: RenderState, render: () => T): T {
  current = state;
  try {
    return render();
  } finally {
    current = null;
  }
}

/** Preact's hooks by their names in its builds: `__b` (before diff) and `diffed`. */
const hooks = preactOptions as unknown as Record<
  "__b" | "diffed",
  ((vnode: AnyVNode) => void) | undefined
>;
const before = { diff: hooks.__b, diffed: hooks.diffed };

/** Island components that already have their marks. */
const marked = new WeakSet<VNode>();

hooks.__b = (vnode) => {
  if (current !== null) {
    if (typeof vnode.type === "string") meetElement(current, vnode, vnode.type);
    else if (vnode.type === Head) meetHead(current, vnode.props.children as ComponentChildren);
    else if (marked.has(vnode)) current.depth++;
    else if (current.depth === 0) meetComponent(current, vnode, vnode.type as ComponentType);
  }
  before.diff?.(vnode);
};

hooks.diffed = (vnode) => {
  if (current !== null) {
    if (vnode.type === "head") current.inHead = false;
    if (marked.has(vnode)) current.depth--;
  }
  before.diffed?.(vnode);
};

/** Wraps an island in two comments, so the browser can find it. */
function meetComponent(state: RenderState, vnode: AnyVNode, type: ComponentType): void {
  const island = state.buildCache.islands.get(type);
  if (island === undefined) return;
  vnode.type = (props: Record<string, unknown>) => {
    const index = state.instances.push({ island, props }) - 1;
    const child = h(type, props);
    marked.add(child);
    const mark = (text: string) => h(Fragment, { UNSTABLE_comment: text } as unknown as null);
    return h(Fragment, null, mark(`frsh:island:${island}:${index}`), child, mark("/frsh:island"));
  };
}

/** Records the contents of `<Head>`. */
function meetHead({ headItems }: RenderState, children: ComponentChildren): void {
  for (const child of toChildArray(children)) {
    headItems.set(headKey(child) ?? `#${headItems.size}`, child);
  }
}

function meetElement(state: RenderState, vnode: AnyVNode, type: string): void {
  const { props } = vnode;
  const append = (part: () => ComponentChildren) =>
    props.children = [props.children as ComponentChildren, h(part, null)];
  if (type === "a") markActive(state.url, props);
  else if (type === "body") append(() => islandScripts(state));
  else if (type === "head") {
    state.inHead = true;
    append(() => [...state.headItems.values()]);
  } else if (state.inHead) {
    const key = headKey(vnode);
    const replacement = key === null ? undefined : state.headItems.get(key);
    if (replacement === undefined || replacement === vnode) return;
    state.headItems.delete(key!);
    vnode.props = (replacement as AnyVNode).props;
  }
}

/**
 * Marks links to this page (`aria-current="page"`) and to pages above it (`"true"`). A link with a
 * fragment or a different query goes elsewhere and is not marked.
 */
function markActive(url: URL, props: Record<string, unknown>): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/") || "aria-current" in props) return;
  if (href.includes("#")) return;
  const [path, search] = href.split("?");
  if (search && url.search !== `?${search}`) return;
  const here = url.pathname.replace(/(.)\/$/, "$1");
  const target = path!.replace(/(.)\/$/, "$1");
  if (here === target) props["aria-current"] = "page";
  else if (target === "/" || here.startsWith(`${target}/`)) props["aria-current"] = "true";
}

/** The key of a head element, or null. A page's element replaces any with the same key. */
function headKey(child: ComponentChildren): string | null {
  if (!isValidElement(child)) return null;
  const { type, props } = child as AnyVNode;
  if (type === "title") return type;
  const name = props.name ?? props.property ?? props.src;
  return name === undefined ? null : `${type} ${name}`;
}

/** The end of `<body>`: the islands' props and the script that starts them. */
function islandScripts({ buildCache, instances }: RenderState): ComponentChildren {
  const { version, isDev } = buildCache.snapshot;
  const script = (name: string) => h("script", { type: "module", src: scriptPath(version, name) });
  const reload = isDev && script("fresh-reload");
  if (instances.length === 0) return reload;
  const __html = encodeIslands({ buildId: version, islands: instances });
  const type = "application/json";
  return [
    h("script", { id: "frsh-state", type, dangerouslySetInnerHTML: { __html } }),
    script("fresh-runtime"),
    reload,
  ];
}
