import type { z } from "zod";
import { candidates, type CandidateSlug } from "../catalog/poll_candidates.ts";
import { DomainError, type ErrorCode, type FieldProblem } from "../errors.ts";
import { problemsOf, readBody } from "../http/input.ts";
import { stripLinksAndMarkup } from "../text/links_and_markup.ts";
import { isBlocked } from "../text/moderation.ts";
import { foldName } from "../text/name_key.ts";
import { type Ballot, BallotInput } from "./schema.ts";

/**
 * Combining marks belong to a letter, and no script stacks more than three. More would cover other
 * lines.
 */
const WRITE_IN = /^(?:[\p{L}\p{N} .-]\p{M}{0,3})+$/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Reads a ballot from a body. Throws `invalid_candidate` for a wrong candidate, else
 * `invalid_write_in` for a wrong write-in, else `invalid_input`. In each case, details list the
 * problems of every field, those of `others` first. `schema` can be stricter.
 */
export function parseBallot(
  body: Record<string, unknown>,
  others: FieldProblem[] = [],
  schema: z.ZodObject<typeof BallotInput.shape, z.core.$ZodObjectConfig> = BallotInput,
): Ballot {
  const parsed = readBody(schema, body);
  const problems = [...others, ...problemsOf(parsed, schema)];
  const isWrong = (field: string) => problems.some((problem) => problem.field === field);
  if (body.candidate === "other" && !isWrong("writeIn")) {
    const problem = writeInProblem(parsed.success ? parsed.data.writeIn : body.writeIn);
    if (problem !== null) problems.push({ field: "writeIn", ...problem });
  }
  if (!parsed.success || problems.length > 0) {
    const code: ErrorCode = isWrong("candidate")
      ? "invalid_candidate"
      : isWrong("writeIn")
      ? "invalid_write_in"
      : "invalid_input";
    throw new DomainError(code, problems);
  }
  const { candidate, reason } = parsed.data;
  // A write-in next to another candidate is ignored, because forms always send the field.
  const writeIn = candidate === "other" ? parsed.data.writeIn : null;
  const listed = writeIn ? candidateNamed(writeIn) : undefined;
  return {
    candidate: listed ?? candidate,
    writeIn: listed === undefined ? writeIn || null : null,
    reason: stripLinksAndMarkup(reason ?? "") || null,
  };
}

/**
 * The candidate whose name or slug matches a write-in. A separate write-in would split its votes.
 */
function candidateNamed(writeIn: string): CandidateSlug | undefined {
  const name = foldName(writeIn);
  return candidates.find((candidate) =>
    candidate.slug === name || foldName(candidate.name) === name
  )?.slug;
}

function writeInProblem(writeIn: unknown): Omit<FieldProblem, "field"> | null {
  if (typeof writeIn !== "string" || writeIn === "") {
    const onPage = "Enter the AI's name";
    return { message: "Required with candidate other", onPage };
  }
  if (!WRITE_IN.test(writeIn) || !LETTER_OR_DIGIT.test(writeIn)) {
    return {
      message:
        "Use only letters, digits, spaces, dots and dashes, with at least one letter or digit",
    };
  }
  return isBlocked(writeIn) ? { message: "Must not contain profanity or advertising" } : null;
}
