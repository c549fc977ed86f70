import type { VNode } from "preact";
import type { BuildCache } from "./build_cache.ts";
import { renderDocument } from "./render.ts";
import type { Middleware } from "./types.ts";

/** Everything about one request; each gets a new one. */
export class Context<State> {
  /** Shared by all middlewares and the handler. */
  readonly state: State = {} as State;
  /** The error thrown, or null. */
  error: unknown | null = null;
  readonly #chain: Middleware<State>[];
  /** The next step of the chain. */
  #next = 0;

  constructor(
    /** The original request. */
    readonly req: Request,
    /** Its URL. */
    readonly url: URL,
    /** Local and remote addresses of the connection. */
    readonly info: Deno.ServeHandlerInfo,
    /** The matched route pattern, or null. */
    readonly route: string | null,
    /** The decoded parameters of the matched pattern. */
    readonly params: Record<string, string>,
    /** The app's build. */
    readonly buildCache: BuildCache,
    chain: Middleware<State>[],
  ) {
    this.#chain = chain;
  }

  /** Calls the next middleware or the handler, and records what it throws. */
  async next(): Promise<Response> {
    try {
      return await this.#chain[this.#next++]!(this);
    } catch (error) {
      this.error = error;
      throw error;
    }
  }

  /**
   * A redirect to a path on this site or a full URL. Runs of slashes in a path, and of backslashes,
   * which browsers read as slashes, become one: `//evil.example` redirects to `/evil.example`.
   */
  redirect(pathOrUrl: string, status = 302): Response {
    let location = pathOrUrl;
    if (/^[/\\]/.test(pathOrUrl)) {
      const [path] = pathOrUrl.split(/[?#]/, 1);
      // Browsers drop tabs and line breaks in URLs, which would join the slashes again.
      location = path!.replaceAll(/[\t\r\n]/g, "").replaceAll(/[/\\]+/g, "/") +
        pathOrUrl.slice(path!.length);
    }
    return new Response(null, { status, headers: { location } });
  }

  /** Renders a page inside its layouts and the app wrapper, as an HTML response. */
  // deno-lint-ignore no-explicit-any
  render(vnode: VNode<any>, init: ResponseInit): Promise<Response> {
    return renderDocument(this, vnode, init);
  }
}
