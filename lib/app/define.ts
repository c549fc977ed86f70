import { createDefine } from "fresh";
import type { State as StateOf } from "../http/state.ts";
import type { Deps } from "./deps.ts";

/** What every route finds on `ctx.state`. */
export type State = StateOf<Deps>;

/** Fresh's typed helpers for this app's state. */
export const define = createDefine<State>();
