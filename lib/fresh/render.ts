import { type ComponentType, Fragment, h, type VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import { type Context, getInternals, type Surroundings } from "./context.ts";
import type { BuildCache } from "./build_cache.ts";
import { NONCE, RenderState, withRenderState } from "./render_state.ts";
import type { PageProps, PageResponse, RouteComponent } from "./types.ts";

/** Renders a handler's page data with the route's component. */
export async function renderPage<State>(
  ctx: Context<State>,
  component: RouteComponent<State> | undefined,
  result: PageResponse<unknown>,
  status: number,
): Promise<Response> {
  if (result === null || typeof result !== "object") {
    throw new Error(`Expected a "Response" or page() to be returned, but got: ${result}`);
  }
  const vnode = component === undefined ? null : await toVNode(ctx, component, result.data, null);
  if (vnode instanceof Response) return vnode;
  const init = { status: result.status ?? status, headers: result.headers };
  const { ui, buildCache } = getInternals(ctx);
  return renderDocument(ctx, vnode, init, ui, buildCache);
}

/** Renders `vnode` inside `ui` as a whole document. */
export async function renderDocument<State>(
  ctx: Context<State>,
  vnode: VNode | null,
  init: ResponseInit,
  ui: Surroundings<State>,
  buildCache: BuildCache<State>,
): Promise<Response> {
  for (let i = ui.layouts.length - 1; i >= 0; i--) {
    const result = await toVNode(ctx, ui.layouts[i]!, undefined, vnode);
    if (result instanceof Response) return result;
    vnode = result;
  }
  const content: { vnode: VNode | null } = { vnode };
  let wrapped: VNode | null = null;
  if (ui.app !== null) {
    const result = await toVNode(ctx, ui.app, undefined, content);
    if (result instanceof Response) return result;
    wrapped = result;
  }

  const state = new RenderState(ctx, buildCache);
  const html = withRenderState(state, () => {
    // The page goes first: it decides which islands and head elements the wrapper has to carry.
    let html = renderToString(content.vnode ?? h(Fragment, null));
    if (wrapped !== null) {
      content.vnode = jsxTemplate([html]) as VNode;
      html = renderToString(wrapped);
    }
    return state.complete(html);
  });
  const headers = new Headers(init.headers);
  if (!headers.has("Content-Type")) headers.set("Content-Type", "text/html; charset=utf-8");
  const preload = state.preloadLinks();
  if (preload !== "") headers.append("Link", preload);
  const response = new Response(html, {
    status: init.status ?? 200,
    statusText: init.statusText,
    headers,
  });
  if (state.nonce !== null) (response as { [NONCE]?: string })[NONCE] = state.nonce;
  return response;
}

/** Turns a component into a vnode; an asynchronous one runs now and may answer with a response. */
async function toVNode<State>(
  ctx: Context<State>,
  component: RouteComponent<State>,
  data: unknown,
  child: VNode | { vnode: VNode | null } | null,
): Promise<VNode | Response | null> {
  const slot = child !== null && "vnode" in child ? child : { vnode: child };
  const Component = () => slot.vnode;
  const props = {
    config: ctx.config,
    data,
    error: ctx.error,
    info: ctx.info,
    isPartial: ctx.isPartial,
    params: ctx.params,
    req: ctx.req,
    route: ctx.route,
    state: ctx.state,
    get url() {
      return ctx.url;
    },
    Component,
  } as PageProps<unknown, State>;
  if (component.constructor.name !== "AsyncFunction") {
    return h(component as ComponentType<PageProps<unknown, State>>, props) as VNode;
  }
  return await (component as (props: unknown) => Promise<VNode | Response | null>)(props);
}
