import type { Caller } from "./caller.ts";
import type { FormValues } from "./forms.ts";
import type { SharedHeaders } from "./shared_headers.ts";

/** What handlers find on `ctx.state`, with the dependencies that they work with. */
export interface State<Deps> {
  deps: Deps;
  caller: Caller;
  /** Names this request in logs, in `X-Request-Id` and in the body of an internal error. */
  requestId: string;
  /** The headers that every answer has. */
  shared?: SharedHeaders;
  /** Set by pages with vote buttons: they ship script, so their theme switch may use it. */
  live?: boolean;
  /**
   * On the page of a listing or skill: whether the caller has voted for it; null if that is not
   * known.
   */
  voted?: boolean | null;
  /** What was typed into the form that was posted, for the page of an error. */
  typed?: FormValues;
}

/** The part of Fresh's context that handlers in lib read, so that they fit into any app with such a state. */
export interface Asked<Deps> {
  req: Request;
  url: URL;
  params: Record<string, string>;
  state: State<Deps>;
}

/** The same for middlewares. */
export interface Passed<Deps> extends Asked<Deps> {
  next(): Promise<Response>;
}
