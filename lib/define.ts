import { createDefine } from "fresh";
import type { Deps } from "./deps.ts";
import type { Caller } from "./http/caller.ts";
import type { FormValues } from "./site/forms.ts";

/** What every route finds on `ctx.state`. */
export interface State {
  deps: Deps;
  caller: Caller;
  /** Names this request in logs, in `X-Request-Id` and in the body of an internal error. */
  requestId: string;
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

/** Fresh's typed helpers for this app's state. */
export const define = createDefine<State>();
