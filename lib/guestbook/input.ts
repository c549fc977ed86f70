import { paletteProblems } from "../ai_of_the_day/palette.ts";
import { DomainError } from "../errors.ts";
import { type Caller, callerProblems } from "../http/caller.ts";
import { parseInput } from "../http/input.ts";
import { isCleanName } from "../text/moderation.ts";
import { type CheckIn, CheckInInput } from "./schema.ts";

/**
 * Reads a check-in from a body; the name is the body's, else the caller's. Throws `agent_name_required`, else
 * `invalid_input` with every problem, else `invalid_name`, else `theme_low_contrast` (details.problems).
 */
export function parseCheckIn(body: Record<string, unknown>, caller: Caller): CheckIn {
  const others = callerProblems(caller);
  const isNamed = others.length > 0 || caller.agentName !== null || !isBlank(body.agentName);
  if (!isNamed) throw new DomainError("agent_name_required");
  const input = parseInput(CheckInInput, body, others);

  const agentName = input.agentName || caller.agentName;
  // A name of invisible characters alone is none.
  if (!agentName) throw new DomainError("agent_name_required");
  if (!isCleanName(agentName)) throw new DomainError("invalid_name");
  const themeProposal = input.themeProposal ?? null;
  const problems = themeProposal === null ? [] : paletteProblems(themeProposal);
  if (problems.length > 0) throw new DomainError("theme_low_contrast", { problems });
  const { catchphrase } = input;
  return {
    agentName,
    model: input.model || null,
    maker: input.maker || null,
    catchphrase,
    themeProposal,
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null ||
    (typeof value === "string" && value.trim() === "");
}
