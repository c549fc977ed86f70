import type { Core } from "../core.ts";
import { DomainError, type FieldProblem, toEnvelope } from "../errors.ts";
import { json } from "../http/respond.ts";
import type { Asked } from "../http/state.ts";

const CODES: Readonly<Record<number, string>> = {
  404: "NOT_FOUND",
  429: "RATE_LIMIT_EXCEEDED",
  501: "NOT_IMPLEMENTED",
};

/** Handles a registry request. Client errors are also reported in the draft's format. */
export async function answered(
  ctx: Asked<Core>,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { status, code, headers } = error;
    if (status >= 500 && !(status in CODES)) throw error;
    const errorCode = CODES[status] ?? "INVALID_ARGUMENT";
    const problems = code === "invalid_input" ? error.details as FieldProblem[] : [];
    const message = problems.length === 0
      ? error.message
      : problems.map(({ field, message }) => `${field}: ${message}`).join("; ");
    const body = { ...toEnvelope(error, ctx.state.deps.urls), errorCode, message };
    return json(body, { status, headers });
  }
}
