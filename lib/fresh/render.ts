import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { jsxTemplate } from "preact/jsx-runtime";
import type { Context } from "./context.ts";
import { RenderState, withRenderState } from "./render_state.ts";
import type { PageProps, PageResponse, RouteComponent } from "./types.ts";

/** Renders a handler's page data with the route's component. */
export async function renderPage<State>(
  ctx: Context<State>,
  component: RouteComponent<State>,
  { data, status, headers }: PageResponse<unknown>,
): Promise<Response> {
  const vnode = await component(propsOf(ctx, data, () => null));
  return renderDocument(ctx, vnode, { status, headers });
}

/** Renders `vnode` inside the app wrapper as a whole document. */
export async function renderDocument<State>(
  ctx: Context<State>,
  vnode: VNode,
  init: ResponseInit,
): Promise<Response> {
  const { buildCache } = ctx;
  let content = vnode;
  const wrapper = await buildCache.wrapper!(propsOf(ctx, undefined, () => content));

  const state = new RenderState(ctx.url, buildCache);
  const html = withRenderState(state, () => {
    // The page goes first: it decides which islands and head elements the wrapper has to carry.
    content = jsxTemplate([renderToString(vnode)]) as VNode;
    return renderToString(wrapper);
  });
  const headers = new Headers(init.headers);
  if (!headers.has("Content-Type")) headers.set("Content-Type", "text/html; charset=utf-8");
  const preload = state.preloadLinks();
  if (preload !== "") headers.append("Link", preload);
  return new Response(`<!DOCTYPE html>${html}`, { ...init, headers });
}

function propsOf<State>(
  { error, params, req, state, url }: Context<State>,
  data: unknown,
  Component: PageProps["Component"],
): PageProps<unknown, State> {
  return { data, error, params, req, state, url, Component };
}
