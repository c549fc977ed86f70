import {
  type ComponentChildren,
  type ComponentType,
  Fragment,
  h,
  isValidElement,
  options as preactOptions,
  type VNode,
} from "preact";
import { renderToString } from "preact-render-to-string";
import type { BuildCache, Island } from "./build_cache.ts";
import { assetPath, buildId } from "./build_id.ts";
import type { ResolvedFreshConfig } from "./types.ts";
import { HEAD_SINK } from "./head.ts";
import { encodeIslands, isSignal, slotRef } from "./island_props.ts";

/** Key under which a response carries the nonce of its inline elements to `csp()`. */
export const NONCE: unique symbol = Symbol.for("__freshNonce");

/** Element types that go into `<head>` and are merged by key. */
const HEAD_TYPES = new Set(["title", "meta", "link", "style", "script", "base"]);

/** Script types that a browser does not run, so that a policy does not ask for a nonce on them. */
const DATA_BLOCK = /^(application\/(ld\+)?json|importmap|speculationrules)$/;

type AnyVNode = VNode<Record<string, unknown>>;

/** What rendering has to know of the request. */
type Request = { url: URL; config: ResolvedFreshConfig };

type BuildSide = Pick<BuildCache, "islands" | "clientEntry" | "reloadScript">;

/** What is gathered while one document is rendered. */
export class RenderState {
  /** Made for the first inline script or style; null when the document has none. */
  nonce: string | null = null;
  islands = new Set<Island>();
  islandProps: { island: string; props: Record<string, unknown> }[] = [];
  slots: ({ name: string; vnode: ComponentChildren } | null)[] = [];
  /** Elements from `<Head>`, by the key that they replace. */
  headItems = new Map<string, ComponentChildren>();
  /** Whether the component being rendered is inside an island (true) or a slot of one (false). */
  owners: { vnode: VNode; isIsland: boolean }[] = [];
  inHead = false;
  seen = { html: false, head: false, body: false };
  scriptsPlaced = false;

  constructor(readonly ctx: Request, readonly buildCache: BuildSide) {}

  /** Completes a document whose components did not render `<html>`, `<head>` or `<body>`. */
  complete(html: string): string {
    if (!this.seen.body) html = `<body>${html}${renderToString(h(IslandScripts, null))}</body>`;
    if (!this.seen.head) {
      html = `<head><meta charset="utf-8"/>${renderToString(h(RemainingHead, null))}</head>${html}`;
    }
    if (!this.seen.html) html = `<html>${html}</html>`;
    return `<!DOCTYPE html>${html}`;
  }

  /** `Link` header value that loads the script of the islands early; empty without islands. */
  preloadLinks(): string {
    if (this.islands.size === 0) return "";
    const chunks = [this.buildCache.clientEntry, ...[...this.islands].map((i) => i.chunk)];
    return chunks
      .map((path) => `<${encodeURI(this.ctx.config.basePath + path)}>; rel="modulepreload"`)
      .join(", ");
  }

  get insideIsland(): boolean {
    return this.owners.at(-1)?.isIsland ?? false;
  }
}

let current: RenderState | null = null;

/** Runs `render`, which must be synchronous, with the hooks below writing to `state`. */
export function withRenderState<T>(state: RenderState, render: () => T): T {
  const previous = current;
  current = state;
  HEAD_SINK.add = (children) => {
    for (const child of flatten(children)) {
      state.headItems.set(headKey(child) ?? `#${state.headItems.size}`, child);
    }
  };
  try {
    return render();
  } finally {
    current = previous;
    HEAD_SINK.add = null;
  }
}

/** Preact's hooks by their names in its builds: `vnode`, `__b` (before diff) and `diffed`. */
const hooks = preactOptions as unknown as Record<
  "vnode" | "__b" | "diffed",
  ((vnode: AnyVNode) => void) | undefined
>;
const before = { vnode: hooks.vnode, diff: hooks.__b, diffed: hooks.diffed };

hooks.vnode = (vnode) => {
  const { type, props } = vnode;
  if (type === "img" || type === "source") {
    if (!props["data-fresh-disable-lock"] && typeof props.src === "string") {
      props.src = assetPath(props.src);
    }
  }
  before.vnode?.(vnode);
};

/** Elements and components that the framework made from one it met; not to be met again. */
const handled = new WeakSet<VNode>();

hooks.__b = (vnode) => {
  const state = current;
  if (state !== null) {
    const { type } = vnode;
    if (typeof type === "function") {
      if (type !== Fragment) meetComponent(state, vnode, type as ComponentType);
    } else if (typeof type === "string") meetElement(state, vnode, type);
  }
  before.diff?.(vnode);
};

hooks.diffed = (vnode) => {
  if (current !== null) {
    if (vnode.type === "head") current.inHead = false;
    if (current.owners.at(-1)?.vnode === vnode) current.owners.pop();
  }
  before.diffed?.(vnode);
};

function meetComponent(state: RenderState, vnode: AnyVNode, type: ComponentType): void {
  if (type as unknown === Slot) {
    state.owners.push({ vnode, isIsland: false });
    return;
  }
  if (handled.has(vnode)) {
    state.owners.push({ vnode, isIsland: true });
    return;
  }
  const island = state.buildCache.islands.get(type);
  if (island === undefined || state.insideIsland) return;
  state.islands.add(island);
  vnode.type = ((props: Record<string, unknown>) => {
    const sent: Record<string, unknown> = {};
    const shown: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(props)) {
      // A signal passes for an element, since it may stand for text.
      if (name !== "children" && (isSignal(value) || !isValidElement(value))) {
        sent[name] = shown[name] = value;
      } else if (value !== undefined && value !== null) {
        const id = state.slots.push({ name, vnode: value as ComponentChildren }) - 1;
        sent[name] = slotRef(id);
        shown[name] = h(Slot, { id, name }, value as ComponentChildren);
      }
    }
    const index = state.islandProps.push({ island: island.name, props: sent }) - 1;
    const child = h(type as ComponentType<Record<string, unknown>>, shown);
    handled.add(child);
    return mark("island", `${island.name}:${index}`, child);
  }) as ComponentType<Record<string, unknown>>;
}

function meetElement(state: RenderState, vnode: AnyVNode, type: string): void {
  const { props } = vnode;
  if (type === "html" || type === "head" || type === "body") state.seen[type] = true;
  if (type === "a") markActive(state.ctx, props);
  else if (type === "head") {
    state.inHead = true;
    props.children = [props.children as ComponentChildren, h(RemainingHead, null)];
  } else if (type === "body") {
    props.children = [props.children as ComponentChildren, h(IslandScripts, null)];
  } else if (state.inHead && HEAD_TYPES.has(type)) {
    const key = headKey(vnode);
    const replacement = key === null ? undefined : state.headItems.get(key);
    if (replacement !== undefined && replacement !== vnode) {
      state.headItems.delete(key!);
      vnode.props = (replacement as AnyVNode).props;
    }
  }
  if (type === "style" || type === "script") addNonce(state, vnode);
}

function addNonce(state: RenderState, vnode: AnyVNode): void {
  const { props } = vnode;
  if (props.src !== undefined || DATA_BLOCK.test(String(props.type ?? ""))) return;
  state.nonce ??= crypto.randomUUID().replaceAll("-", "");
  props.nonce ??= state.nonce;
}

/** Marks links to this page (`aria-current="page"`) and to pages above it (`"true"`). */
function markActive(ctx: Request, props: Record<string, unknown>): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/") || "aria-current" in props) return;
  const [path, search] = href.split("#")[0]!.split("?");
  const here = ctx.url.pathname.replace(/(.)\/$/, "$1");
  const target = path!.replace(/(.)\/$/, "$1");
  const isSame = here === target && (!search || ctx.url.search === `?${search}`);
  if (isSame) {
    props["data-current"] = "true";
    props["aria-current"] = "page";
  } else if (here === target || target === "/" || here.startsWith(`${target}/`)) {
    props["data-ancestor"] = "true";
    props["aria-current"] = "true";
  }
}

/** The key by which a head element of a page replaces one of the wrapper; null for others. */
function headKey(child: ComponentChildren): string | null {
  if (!isValidElement(child) || !HEAD_TYPES.has(child.type as string)) return null;
  const { type, key } = child as AnyVNode;
  if (key !== null && key !== undefined) return `${type}#${key}`;
  if (type === "title" || type === "base") return type;
  const { props } = child as AnyVNode;
  const names = Object.keys(props).filter((name) =>
    !["children", "nonce", "dangerouslySetInnerHTML"].includes(name) &&
    !(type === "meta" && name === "content") && !(type === "link" && name === "href")
  );
  return [type, ...names.sort().map((name) => `${name}=${props[name]}`)].join("|");
}

function flatten(children: ComponentChildren): ComponentChildren[] {
  if (Array.isArray(children)) return children.flatMap(flatten);
  if (isValidElement(children) && children.type === Fragment) {
    return flatten((children as AnyVNode).props.children as ComponentChildren);
  }
  return children === null || children === undefined ? [] : [children];
}

function RemainingHead(): ComponentChildren {
  const items = [...current!.headItems.values()];
  current!.headItems.clear();
  return h(Fragment, null, items);
}

function Slot(props: { id: number; name: string; children?: ComponentChildren }) {
  current!.slots[props.id] = null;
  return mark("slot", String(props.id), props.children);
}

function mark(kind: string, text: string, child: ComponentChildren): VNode {
  const comment = (value: string) => h(Fragment, { UNSTABLE_comment: value } as unknown as null);
  return h(Fragment, null, comment(`frsh:${kind}:${text}`), child, comment(`/frsh:${kind}`));
}

/** The end of `<body>`: slots that an island did not show yet, its props, and its script. */
function IslandScripts(): ComponentChildren {
  const state = current!;
  const { buildCache, slots, islands, islandProps, ctx } = state;
  if (state.scriptsPlaced) return null;
  state.scriptsPlaced = true;
  const { basePath } = ctx.config;
  const reload = buildCache.reloadScript === null
    ? null
    : h("script", { type: "module", src: basePath + buildCache.reloadScript });
  if (islands.size === 0) return reload;
  const chunks = Object.fromEntries(
    [...islands].map((island) => [island.name, basePath + island.chunk]),
  );
  const json = encodeIslands({ buildId: buildId(), chunks, islands: islandProps });
  return h(
    Fragment,
    null,
    slots.map((slot, id) => slot && h("template", { id: `frsh-slot-${id}` }, slot.vnode)),
    h("script", {
      id: "frsh-state",
      type: "application/json",
      dangerouslySetInnerHTML: { __html: json },
    }),
    h("script", { type: "module", src: basePath + buildCache.clientEntry }),
    reload,
  );
}
