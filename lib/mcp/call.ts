import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { DomainError, toEnvelope } from "../errors.ts";
import { refuseBlocked } from "../http/blocks.ts";
import type { Caller } from "../http/caller.ts";
import { errorFields } from "../log.ts";
import { toldBack } from "../text/clean.ts";
import type { Deps } from "./deps.ts";
import type { Tool } from "./tool.ts";
import { TOOLS } from "./tools/index.ts";

/** Tools that work while the catalogues are still loading after startup; the others wait. */
const WITHOUT_CATALOGUE = new Set(
  ("ai_of_the_day best_ai_leaderboard check_in create_promotion_checkout get_project " +
    "get_skill guestbook help place_bid submit_project submit_skill update_project " +
    "vote_best_ai vote_project vote_skill")
    .split(" "),
);

const toolsByName = new Map<string, Tool>(TOOLS.map((tool) => [tool.name, tool]));

/**
 * Calls a tool. A domain error becomes a result with `isError` and the JSON API's envelope, so
 * a model can correct itself. `caller` sent the HTTP request. Throws a protocol error for an unknown
 * tool.
 */
export async function callTool(
  name: string,
  args: object | undefined,
  { deps, caller }: { deps: Deps; caller: Caller },
): Promise<CallToolResult> {
  const tool = toolsByName.get(name);
  if (tool === undefined) {
    const shown = JSON.stringify(toldBack(name, 100));
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${shown}`);
  }
  try {
    if (!WITHOUT_CATALOGUE.has(name)) await deps.sync.ready();
    // It reads a skill, and does not count the install of a blocked network.
    const isRead = tool.annotations.readOnlyHint || name === "get_skill";
    if (!isRead) await refuseBlocked(deps, caller);
    const context = { deps, caller: caller.throughMcp(null) };
    const { data, text } = await tool.call(context, args ?? {});
    return { content: [{ type: "text", text }], structuredContent: data };
  } catch (error) {
    const envelope = toEnvelope(asDomainError(error, deps, name), deps.urls);
    return { content: [{ type: "text", text: JSON.stringify(envelope) }], isError: true };
  }
}

/** Runs a handler that is not a tool. Errors become protocol errors with the envelope. */
export async function guarded<T>(
  deps: Deps,
  method: string,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    await deps.sync.ready();
    return await run();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const envelope = toEnvelope(asDomainError(error, deps, method), deps.urls);
    throw new ProtocolError(ProtocolErrorCode.InternalError, envelope.error.message, envelope);
  }
}

function asDomainError(error: unknown, deps: Deps, name: string): DomainError {
  if (error instanceof DomainError) {
    if (error.code === "storage_unavailable") {
      deps.log.warn("storage_unavailable", { name, ...errorFields(error) });
    }
    return error;
  }
  const requestId = crypto.randomUUID();
  deps.log.error("internal_error", { requestId, name, ...errorFields(error) });
  return new DomainError("internal_error", { requestId });
}
