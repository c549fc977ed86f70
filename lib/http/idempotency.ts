/** A client's `Idempotency-Key`: under it the same request can be sent again. */
import { DAY_MS } from "../clock.ts";
import { rejectProblems } from "../errors.ts";
import { LIMITS } from "../limits.ts";

const HEADER = "Idempotency-Key";

/** How long (ms) a request can be sent again. */
export const REPEATABLE_MS = DAY_MS;

/** The `Idempotency-Key` header, or null. Throws `invalid_input` when it is longer than 255 characters. */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get(HEADER);
  const max = LIMITS.idempotencyKeyMax;
  if (key !== null && key.length > max) {
    rejectProblems([{ field: HEADER, message: `Must have at most ${max} characters` }]);
  }
  return key || null;
}

/** Throws `invalid_input`, because a key came with another request before. */
export function rejectOtherRequest(): void {
  rejectProblems([{ field: HEADER, message: "Already used with a different request" }]);
}
