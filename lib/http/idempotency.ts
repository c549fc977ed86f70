/** A client's `Idempotency-Key`, which lets it repeat the same request safely. */
import { DAY_MS } from "../clock.ts";
import { rejectProblems } from "../errors.ts";
import { LIMITS } from "../limits.ts";

const HEADER = "Idempotency-Key";

/** How long (ms) a request can be repeated. */
export const REPEATABLE_MS = DAY_MS;

/** The `Idempotency-Key` header, or null. Throws `invalid_input` if it exceeds 255 characters. */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get(HEADER);
  const max = LIMITS.idempotencyKeyMax;
  if (key !== null && key.length > max) {
    rejectProblems([{ field: HEADER, message: `Must have at most ${max} characters` }]);
  }
  return key || null;
}

/** Throws `invalid_input`: the key was used with a different request before. */
export function rejectOtherRequest(): void {
  rejectProblems([{
    field: HEADER,
    message: "Already used with a different request. Send a new key",
  }]);
}
