/** A client's `Idempotency-Key`, which lets it repeat the same request safely. */
import { DAY_MS } from "../clock.ts";
import { type FieldProblem, rejectProblems } from "../errors.ts";
import { LIMITS } from "../limits.ts";

const HEADER = "Idempotency-Key";

/** How long (ms) a request can be repeated. */
export const REPEATABLE_MS = DAY_MS;

/** The `Idempotency-Key` header, or null, and its problems, to report with those of the body. */
export function readIdempotencyKey(
  headers: Headers,
): { idempotencyKey: string | null; problems: FieldProblem[] } {
  const key = headers.get(HEADER) || null;
  const max = LIMITS.idempotencyKeyMax;
  const problems = key !== null && key.length > max
    ? [{ field: HEADER, message: `Must have at most ${max} characters` }]
    : [];
  return { idempotencyKey: key, problems };
}

/** Throws `invalid_input`: the key was used with a different request before. */
export function rejectOtherRequest(): void {
  rejectProblems([{
    field: HEADER,
    message: "Already used with a different request. Send a new key",
  }]);
}
