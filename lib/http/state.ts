import type { Caller } from "./caller.ts";
import type { FormValues } from "./forms.ts";

/** What handlers find on `ctx.state`, including their dependencies. */
export interface State<Deps> {
  deps: Deps;
  caller: Caller;
  /** Identifies this request in logs, in `X-Request-Id` and in internal error bodies. */
  requestId: string;
  /** On a listing or skill page: whether the caller has voted for it; null if unknown. */
  voted?: boolean | null;
  /** What was typed into the posted form, for an error page. */
  typed?: FormValues;
}

/** The part of Fresh's context that handlers in lib read. They fit any app with such a state. */
export interface Asked<Deps> {
  req: Request;
  url: URL;
  params: Record<string, string>;
  state: State<Deps>;
}

/** The same for middleware. */
export interface Passed<Deps> extends Asked<Deps> {
  next(): Promise<Response>;
}
