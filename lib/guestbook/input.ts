import { paletteProblems } from "../ai_of_the_day/palette.ts";
import { DomainError, type FieldProblem } from "../errors.ts";
import { type Caller, callerProblems } from "../http/caller.ts";
import { problemsOf } from "../http/input.ts";
import { isCleanName, UNCLEAN_NAME } from "../text/moderation.ts";
import { type CheckIn, CheckInInput } from "./schema.ts";

/**
 * Reads a check-in from a body; the name is the body's, else the caller's. Throws `agent_name_required`, else
 * `invalid_input`, else `invalid_name`, else `theme_low_contrast` (details.problems); the details of the first
 * three list the problems of every field, whichever code it is, those of `others` first.
 */
export function parseCheckIn(
  body: Record<string, unknown>,
  caller: Caller,
  others: FieldProblem[] = [],
): CheckIn {
  const ofCaller = callerProblems(caller);
  const parsed = CheckInInput.safeParse(body, { reportInput: true });
  const problems = [...others, ...ofCaller, ...problemsOf(parsed)];

  // Judged by themselves, so that they are told beside the problems of other fields.
  const named = CheckInInput.shape.agentName.safeParse(body.agentName);
  const agentName = named.data || (ofCaller.length > 0 ? null : caller.agentName);
  const nameProblems: FieldProblem[] = agentName && !isCleanName(agentName)
    ? [{ field: "agentName", message: UNCLEAN_NAME }]
    : [];
  const proposed = CheckInInput.shape.themeProposal.safeParse(body.themeProposal);
  const palette = proposed.data ? paletteProblems(proposed.data) : [];
  const themeProblems = palette.map(({ message }) => ({ field: "themeProposal", message }));
  const all = [...problems, ...nameProblems, ...themeProblems];

  // A name of invisible characters alone is none; one that breaks its rule is one.
  if (!agentName && named.success && ofCaller.length === 0) {
    throw new DomainError("agent_name_required", all.length > 0 ? all : undefined);
  }
  if (!parsed.success || problems.length > 0) throw new DomainError("invalid_input", all);
  if (nameProblems.length > 0) throw new DomainError("invalid_name", all);
  if (palette.length > 0) throw new DomainError("theme_low_contrast", { problems: palette });
  const { model, maker, catchphrase, themeProposal } = parsed.data;
  return {
    agentName: agentName!,
    model: model || null,
    maker: maker || null,
    catchphrase,
    themeProposal: themeProposal ?? null,
  };
}
