import { type ComponentType, h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { jsxTemplate } from "preact/jsx-runtime";
import { type Context, getInternals } from "./context.ts";
import { RenderState, withRenderState } from "./render_state.ts";
import type { PageProps, PageResponse, RouteComponent } from "./types.ts";

/** Renders a handler's page data with the route's component. */
export async function renderPage<State>(
  ctx: Context<State>,
  component: RouteComponent<State> | undefined,
  { data, status, headers }: PageResponse<unknown>,
): Promise<Response> {
  const vnode = component === undefined ? null : await toVNode(ctx, component, data);
  return renderDocument(ctx, vnode, { status, headers });
}

/** Renders `vnode` inside the app wrapper as a whole document. */
export async function renderDocument<State>(
  ctx: Context<State>,
  vnode: VNode | null,
  init: ResponseInit,
): Promise<Response> {
  const { buildCache } = getInternals(ctx);
  let content = vnode;
  const wrapper = await toVNode(ctx, buildCache.wrapper!, undefined, () => content);

  const state = new RenderState(ctx.url, buildCache);
  const html = withRenderState(state, () => {
    // The page goes first: it decides which islands and head elements the wrapper has to carry.
    const html = content === null ? "" : renderToString(content);
    content = jsxTemplate([html]) as VNode;
    return renderToString(wrapper!);
  });
  const headers = new Headers(init.headers);
  if (!headers.has("Content-Type")) headers.set("Content-Type", "text/html; charset=utf-8");
  const preload = state.preloadLinks();
  if (preload !== "") headers.append("Link", preload);
  return new Response(`<!DOCTYPE html>${html}`, { ...init, headers });
}

/** Turns a component into a vnode; an asynchronous one runs now. */
async function toVNode<State>(
  ctx: Context<State>,
  component: RouteComponent<State>,
  data: unknown,
  Component: () => VNode | null = () => null,
): Promise<VNode | null> {
  const { error, params, req, state, url } = ctx;
  const props = { data, error, params, req, state, url, Component };
  if (component.constructor.name !== "AsyncFunction") {
    return h(component as ComponentType<PageProps<unknown, State>>, props) as VNode;
  }
  return await (component as (props: PageProps<unknown, State>) => Promise<VNode | null>)(props);
}
