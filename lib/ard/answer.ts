import { DomainError, type FieldProblem } from "../errors.ts";
import { json } from "../http/respond.ts";
import type { AnswerContext } from "../http/shared_headers.ts";

const CODES: Readonly<Record<number, string>> = {
  404: "NOT_FOUND",
  429: "RATE_LIMIT_EXCEEDED",
};

/** Runs a request of the registry. What the client did wrong is told in the words of the draft. */
export async function answered(
  ctx: AnswerContext,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError) || error.status >= 500) throw error;
    const { status, code, headers } = error;
    const problems = code === "invalid_input" ? error.details as FieldProblem[] : [];
    const message = problems.length === 0
      ? error.message
      : problems.map(({ field, message }) => `${field}: ${message}`).join("; ");
    const errorCode = CODES[status] ?? "INVALID_ARGUMENT";
    return json(ctx, { errorCode, message }, { status, headers });
  }
}
